import type { Client } from 'pg';
import { clientRowsOf } from './client-rows.js';
import { quoted } from './roles.js';
import { result, statement } from './statement.js';

/**
 * Collation for names in lists, to be put after a column in `ORDER BY`: numbers by value ("Report 2" before "Report 10"), letters with accents
 * beside those without, small letters beside capitals. Without ICU in PostgreSQL: the order of the database.
 */
export const NATURAL_ORDER = 'COLLATE natural_order';

const IS_OUTDATED = statement(
  { outdated: result.boolean },
  `SELECT collversion IS DISTINCT FROM pg_collation_actual_version(oid) AS outdated FROM pg_collation
   WHERE collname = 'natural_order' AND collnamespace = 'public'::regnamespace`,
);
const LIST_INDEXES = statement(
  { name: result.name },
  `SELECT DISTINCT i.relname AS name FROM pg_depend d JOIN pg_class i ON i.oid = d.objid AND i.relkind = 'i'
   WHERE d.classid = 'pg_class'::regclass AND d.refclassid = 'pg_collation'::regclass
     AND d.refobjid = 'natural_order'::regcollation ORDER BY 1`,
);

/**
 * Sorts indexes of names again where the server has another version of ICU than the one they were sorted by. Not concurrently: that would wait for
 * other starts, which wait for the lock that this one holds.
 */
export async function refreshNaturalOrder(client: Client): Promise<void> {
  const [found] = await clientRowsOf(client, IS_OUTDATED);
  if (found?.outdated !== true) return;
  for (const { name } of await clientRowsOf(client, LIST_INDEXES)) await client.query(`REINDEX INDEX ${quoted(name)}`);
  await client.query('ALTER COLLATION natural_order REFRESH VERSION');
}
