import type { Client } from 'pg';
import { clientRowsOf } from './client-rows.js';
import { result, statement } from './statement.js';

/** The PostgreSQL roles that transactions run under; null where the login could not make roles and works as itself. */
export interface DatabaseRoles {
  readonly app: string | null;
  readonly system: string | null;
}

/** What the application role may do with each table; every other table of the schema is for the system role alone. */
const APPEND_ONLY = ['audit_log', 'document_events'];

const FIND_ROLE = statement({ found: result.integer }, `SELECT 1 AS found FROM pg_roles WHERE rolname = $1`);
const MAY_MAKE_ROLES = statement(
  { ok: result.boolean },
  `SELECT rolsuper OR rolcreaterole AS ok FROM pg_roles WHERE rolname = current_user`,
);
const IS_MEMBER = statement({ ok: result.boolean }, `SELECT pg_has_role($1, $2, 'MEMBER') AS ok`);
const FIND_ROLES = statement(
  { found: result.integer },
  `SELECT 1 AS found FROM pg_roles WHERE rolname = ANY ($1) AND pg_has_role(current_user, oid, 'MEMBER')`,
);

async function exists(client: Client, role: string): Promise<boolean> {
  return (await clientRowsOf(client, FIND_ROLE, [role])).length === 1;
}

async function mayMakeRoles(client: Client): Promise<boolean> {
  const [found] = await clientRowsOf(client, MAY_MAKE_ROLES);
  return found?.ok === true;
}

/**
 * Makes `<prefix>_app` and `<prefix>_system` (NOLOGIN, no superuser, no bypass) and lets `login` switch to them.
 * A migration login that may not make roles leaves both null: row-level security still binds the login itself.
 */
export async function ensureRoles(client: Client, prefix: string, login: string): Promise<DatabaseRoles> {
  const roles = { app: `${prefix}_app`, system: `${prefix}_system` };
  const able = await mayMakeRoles(client);
  for (const role of [roles.app, roles.system]) {
    if (!(await exists(client, role))) {
      if (!able) return { app: null, system: null };
      await client.query(`CREATE ROLE ${quoted(role)} NOLOGIN NOSUPERUSER NOBYPASSRLS`);
    }
    const [member] = await clientRowsOf(client, IS_MEMBER, [login, role]);
    if (member?.ok !== true || able) {
      if (!able) return { app: null, system: null };
      await client.query(`GRANT ${quoted(role)} TO ${quoted(login)}`);
    }
  }
  return roles;
}

/** The roles that `ensureRoles` has made, for a session that is logged in as the service. */
export async function findRoles(client: Client, prefix: string): Promise<DatabaseRoles> {
  const names = { app: `${prefix}_app`, system: `${prefix}_system` };
  const found = await clientRowsOf(client, FIND_ROLES, [[names.app, names.system]]);
  return found.length === 2 ? names : { app: null, system: null };
}

/** Gives the two roles exactly the rights they need; run after the migrations. `tenantViews` are read with the rights of the role that asks. */
export async function grantRights(
  client: Client,
  roles: DatabaseRoles,
  tenantTables: readonly string[],
  tenantViews: readonly string[],
): Promise<void> {
  if (roles.app === null || roles.system === null) return;
  const [app, system] = [quoted(roles.app), quoted(roles.system)];
  await client.query(`GRANT USAGE ON SCHEMA public TO ${app}, ${system}`);
  await client.query(`GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO ${system}`);
  await client.query(`GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA public TO ${app}, ${system}`);
  for (const table of tenantTables) {
    const rights = APPEND_ONLY.includes(table) ? 'SELECT, INSERT' : 'SELECT, INSERT, UPDATE, DELETE';
    await client.query(`REVOKE ALL ON ${quoted(table)} FROM ${system}`);
    await client.query(`GRANT ${rights} ON ${quoted(table)} TO ${app}`);
  }
  for (const view of tenantViews) {
    await client.query(`REVOKE ALL ON ${quoted(view)} FROM ${system}`);
    await client.query(`GRANT SELECT ON ${quoted(view)} TO ${app}`);
  }
}

export function quoted(identifier: string): string {
  return `"${identifier.replaceAll('"', '""')}"`;
}
