import { withDatabase } from './hidden-documents/remains.js';
import type { ServiceProcess } from './service-process.js';

const TABLES = `SELECT format('%I.%I', n.nspname, c.relname) AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE c.relkind = 'r' AND n.nspname NOT IN ('pg_catalog', 'information_schema')`;

/** The rows of all tables of a running service as JSON, one on a line behind its table, also of those whose bytes the database has compressed. */
export async function storedRows(service: Pick<ServiceProcess, 'folder'>): Promise<string> {
  return withDatabase(service, async (client) => {
    const texts: string[] = [];
    const { rows: names } = await client.query<{ name: string }>(TABLES);
    for (const { name } of names) {
      const { rows } = await client.query<{ row: string }>(`SELECT row_to_json(t)::text AS row FROM ${name} t`);
      texts.push(...rows.map(({ row }) => `${name} ${row}`));
    }
    return texts.join('\n');
  });
}
