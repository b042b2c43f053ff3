import { join } from 'node:path';
import { Client } from 'pg';
import { connectToRunningEmbeddedPostgres } from '#libs/database';
import type { ServiceProcess } from './service-process.js';

const TABLES = `SELECT format('%I.%I', n.nspname, c.relname) AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE c.relkind = 'r' AND n.nspname NOT IN ('pg_catalog', 'information_schema')`;

/** The rows of all tables of a running service as JSON, one on a line behind its table, also of those whose bytes the database has compressed. */
export async function storedRows(service: Pick<ServiceProcess, 'folder'>): Promise<string> {
  const urls = await connectToRunningEmbeddedPostgres(join(service.folder, 'data/postgres'));
  const url = Object.assign(new URL(urls!.superuserUrl), { pathname: '/kb' });
  const client = new Client({ connectionString: url.href });
  await client.connect();
  try {
    const texts: string[] = [];
    const { rows: names } = await client.query<{ name: string }>(TABLES);
    for (const { name } of names) {
      const { rows } = await client.query<{ row: string }>(`SELECT row_to_json(t)::text AS row FROM ${name} t`);
      texts.push(...rows.map(({ row }) => `${name} ${row}`));
    }
    return texts.join('\n');
  } finally {
    await client.end();
  }
}
