import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';

/** Writes Parquet files as ingestion does, each the result of a query; answers their paths by name. */
export async function makeTableFiles(
  folder: string,
  queries: Readonly<Record<string, string>>,
): Promise<ReadonlyMap<string, string>> {
  const instance = await DuckDBInstance.create(':memory:', { threads: '1' });
  const connection = await instance.connect();
  const paths = new Map<string, string>();
  for (const [name, query] of Object.entries(queries)) {
    const path = join(folder, `${name}.parquet`);
    await connection.run(`COPY (${query}) TO '${path}' (FORMAT parquet)`);
    paths.set(name, path);
  }
  connection.closeSync();
  instance.closeSync();
  return paths;
}
