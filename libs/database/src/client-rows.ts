import type { ClientBase } from 'pg';
import type { Statement } from './statement.js';

/** Rows of a declared statement on a connection of its own, outside of the pool: migrations, backups, the embedded server. */
export async function clientRowsOf<Row>(
  client: ClientBase,
  { sql }: Statement<Row>,
  parameters: readonly unknown[] = [],
): Promise<Row[]> {
  const { rows } = await client.query(sql, [...parameters]);
  return rows as Row[];
}
