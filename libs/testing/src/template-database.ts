import { Client } from 'pg';
import { migrate } from '#libs/database';
import { migrateQueue } from '#libs/queue';

export const TEMPLATE = 'kb_template';
export const TEST_OWNER = 'kb_test_owner';
export const TEST_PASSWORD = 'kb-test';

/** The address of another database of the cluster, as the given login. */
export function databaseUrl(clusterUrl: string, database: string, login: string, password: string): string {
  const url = new URL(clusterUrl);
  url.pathname = `/${database}`;
  url.username = login;
  url.password = password;
  return url.toString();
}

/** Makes the owner's login and a migrated database that every spec file copies. */
export async function makeTemplate(superuserUrl: string): Promise<void> {
  const client = new Client({ connectionString: superuserUrl });
  await client.connect();
  try {
    await client.query(
      `CREATE ROLE ${TEST_OWNER} LOGIN NOSUPERUSER NOBYPASSRLS CREATEROLE CREATEDB PASSWORD '${TEST_PASSWORD}'`,
    );
    await client.query(`CREATE DATABASE ${TEMPLATE} OWNER ${TEST_OWNER}`);
    const url = databaseUrl(superuserUrl, TEMPLATE, TEST_OWNER, TEST_PASSWORD);
    await migrate({ migrationUrl: url, serviceUrl: url, rolePrefix: 'kb', also: [migrateQueue] });
  } finally {
    await client.end();
  }
}
