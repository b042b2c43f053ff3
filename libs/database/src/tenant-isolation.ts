import type { ClientBase } from 'pg';
import { clientRowsOf } from './client-rows.js';
import { result, statement } from './statement.js';

/** The condition of the one policy that every table with `tenant_id` has, as PostgreSQL shows it. */
const CONDITION = `(tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)`;

const FIND_UNBOUND = statement(
  { name: result.name },
  `SELECT c.relname AS name FROM pg_class c
     WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND c.relname = ANY ($1) AND NOT (
       c.relrowsecurity AND c.relforcerowsecurity
       AND EXISTS (SELECT 1 FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname = 'tenant_id' AND a.attnotnull)
       AND (SELECT count(*) FROM pg_policy p WHERE p.polrelid = c.oid) = 1
       AND EXISTS (SELECT 1 FROM pg_policy p WHERE p.polrelid = c.oid AND p.polcmd = '*' AND p.polroles = '{0}'
         AND pg_get_expr(p.polqual, c.oid) = $2 AND coalesce(pg_get_expr(p.polwithcheck, c.oid), $2) = $2))
     ORDER BY 1`,
);

/** SQL that binds a new table with a column `tenant_id uuid NOT NULL` to the tenant of the transaction, also for its owner. */
export function tenantIsolation(table: string): string {
  return `
    ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY;
    ALTER TABLE ${table} FORCE ROW LEVEL SECURITY;
    CREATE POLICY tenant_isolation ON ${table}
      USING (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid)
      WITH CHECK (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid);`;
}

/** Those of the tables in which a statement without a tenant, or of another one, would see or write rows. */
export async function findUnboundTables(client: ClientBase, tables: readonly string[]): Promise<string[]> {
  const rows = await clientRowsOf(client, FIND_UNBOUND, [tables, CONDITION]);
  return rows.map(({ name }) => name);
}
