import { DuckDBInstance, type DuckDBConnection, type DuckDBValue } from '@duckdb/node-api';

/** A database in memory for tools and tests, without guard and limits. */
export class MemoryDatabase {
  private constructor(private readonly connection: DuckDBConnection) {}

  static async open(): Promise<MemoryDatabase> {
    const instance = await DuckDBInstance.create(':memory:', { threads: '1' });
    return new MemoryDatabase(await instance.connect());
  }

  async run(sql: string, values: readonly DuckDBValue[] = []): Promise<void> {
    await this.connection.run(sql, [...values]);
  }

  /** Values as JSON has them. */
  async rows(sql: string): Promise<unknown[][]> {
    return (await this.connection.runAndReadAll(sql)).getRowsJson();
  }
}
