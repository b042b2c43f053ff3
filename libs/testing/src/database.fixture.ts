import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { inject } from 'vitest';
import { newId, type AccountId, type TenantId } from '#libs/common';
import { migrate, openDatabase, UnitOfWork, type Database } from '#libs/database';
import { migrateQueue } from '#libs/queue';
import { ROLE_PERMISSIONS, type RequestContext, type Role } from '#libs/tenancy';
import { databaseUrl, TEMPLATE, TEST_OWNER, TEST_PASSWORD } from './template-database.js';

export interface TestDatabase {
  readonly database: Database;
  readonly unitOfWork: UnitOfWork;
  readonly url: string;
  close(): Promise<void>;
}

/** A migrated database of its own for one spec file, with real roles and row-level security. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const name = newDatabaseName();
  await onCluster(inject('clusterUrl'), `CREATE DATABASE ${name} TEMPLATE ${TEMPLATE} OWNER ${TEST_OWNER}`);
  return openTestDatabase(name);
}

/**
 * One that a former version has made and `fill` has filled, as the owner of its tables, before this version migrates it.
 * `migrations`: those that the former version knew.
 */
export async function createFormerDatabase(
  migrations: readonly string[],
  fill: (client: Client) => Promise<void>,
): Promise<TestDatabase> {
  const name = newDatabaseName();
  const cluster = inject('clusterUrl');
  await onCluster(cluster, `CREATE DATABASE ${name} OWNER ${TEST_OWNER}`);
  const url = databaseUrl(cluster, name, TEST_OWNER, TEST_PASSWORD);
  await migrate({ migrationUrl: url, serviceUrl: url, rolePrefix: 'kb', also: [], only: migrations });
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await fill(client);
  } finally {
    await client.end();
  }
  await migrate({ migrationUrl: url, serviceUrl: url, rolePrefix: 'kb', also: [migrateQueue] });
  return openTestDatabase(name);
}

function newDatabaseName(): string {
  return `kb_test_${randomUUID().replaceAll('-', '')}`;
}

async function openTestDatabase(name: string): Promise<TestDatabase> {
  const cluster = inject('clusterUrl');
  const url = databaseUrl(cluster, name, TEST_OWNER, TEST_PASSWORD);
  const poolErrors: Error[] = [];
  const database = await openDatabase({
    url,
    migrationUrl: url,
    rolePrefix: 'kb',
    poolSize: 8,
    onPoolError: (error) => poolErrors.push(error),
  });
  return {
    database,
    unitOfWork: new UnitOfWork(database),
    url,
    close: async () => {
      await database.close();
      await onCluster(cluster, `DROP DATABASE ${name} WITH (FORCE)`);
    },
  };
}

async function onCluster(url: string, sql: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query('SELECT pg_advisory_lock(7061824)');
    await client.query(sql);
  } finally {
    await client.end();
  }
}

export interface TestMember {
  readonly accountId: AccountId;
  readonly tenantId: TenantId;
  readonly ctx: RequestContext;
}

/** A tenant with an account in the given role, written below the service. */
export async function createTestMember(
  unitOfWork: UnitOfWork,
  role: Role = 'owner',
  tenantId: TenantId = newId<TenantId>(),
): Promise<TestMember> {
  const accountId = newId<AccountId>();
  await unitOfWork.runAsSystem(async (manager) => {
    await manager.query(`INSERT INTO tenants (id, name) VALUES ($1, $2) ON CONFLICT (id) DO NOTHING`, [
      tenantId,
      `Tenant ${tenantId}`,
    ]);
    await manager.query(`INSERT INTO accounts (id, email, name, default_tenant_id) VALUES ($1, $2, $3, $4)`, [
      accountId,
      `${accountId}@example.com`,
      'Someone',
      tenantId,
    ]);
    await manager.query(`INSERT INTO memberships (tenant_id, account_id, role) VALUES ($1, $2, $3)`, [
      tenantId,
      accountId,
      role,
    ]);
  });
  return { accountId, tenantId, ctx: contextOf(accountId, tenantId, role) };
}

/** The context of an account, as the guard would make it. */
export function contextOf(accountId: AccountId, tenantId: TenantId, role: Role): RequestContext {
  return {
    tenantId,
    principal: { kind: 'account', accountId, role, permissions: new Set(ROLE_PERMISSIONS[role]) },
    requestId: `test-${newId()}`,
  };
}
