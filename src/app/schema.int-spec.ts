import { globSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeCatalogue, listTablesOfTenants } from '../../libs/database/src/testing/describe-catalogue.js';
import { createTestDatabase, type TestDatabase } from '#libs/testing';

const ROOT = `${import.meta.dirname}/../..`;
/** The list of migrations that have run belongs to TypeORM. */
const WITHOUT_ENTITY = ['schema_migrations'];
/** Tables that are read before a tenant is known: for the system role alone, they hold ids, hashes and times. */
const READ_BEFORE_A_TENANT_IS_KNOWN = [
  'api_keys',
  'domain_events',
  'event_deliveries',
  'event_lanes',
  'invitations',
  'memberships',
  'parked_events',
  'store_intents',
  'task_turns',
  'tasks',
];
const OWN_TENANT = `(tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)`;

let test: TestDatabase;

beforeAll(async () => {
  for (const file of globSync('{src,libs}/**/*.entity.ts', { cwd: ROOT })) await import(`${ROOT}/${file}`);
  test = await createTestDatabase();
});
afterAll(() => test.close());

describe('a migrated database', () => {
  it('leaves TypeORM nothing to do', async () => {
    const { upQueries } = await test.database.source.driver.createSchemaBuilder().log();
    expect(upQueries.map(({ query }) => query)).toEqual([]);
  });

  it('has an entity for each table, and no entity without one', async () => {
    const tables = await test.database.source.query<{ name: string }[]>(
      `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') ORDER BY 1`,
    );
    const mapped = test.database.source.entityMetadatas.map(({ tableName }) => tableName);
    expect([...mapped, ...WITHOUT_ENTITY].sort()).toEqual(tables.map(({ name }) => name).sort());
  });

  it('has no relation that loads', () => {
    const loading = test.database.source.entityMetadatas.filter(({ relations }) => relations.length > 0);
    expect(loading.map(({ name }) => name)).toEqual([]);
  });

  it('has indexes, constraints, policies and rights as the committed catalogue says (npm run schema:write)', async () => {
    await expect(await describeCatalogue(test.database.source)).toMatchFileSnapshot(`${ROOT}/docs/schema.txt`);
  });

  it('guards each table that names a tenant by forced row-level security and the one policy', async () => {
    const { app, system } = test.database.roles;
    const tables = await listTablesOfTenants(test.database.source, app!, system!);
    for (const { name, enabled, forced, policies, appRights, systemRights } of tables) {
      if (READ_BEFORE_A_TENANT_IS_KNOWN.includes(name)) {
        expect({ name, appRights, forced }).toEqual({ name, appRights: [], forced: false });
        continue;
      }
      expect({ name, enabled, forced, policies, systemRights }).toEqual({
        name,
        enabled: true,
        forced: true,
        policies: [`tenant_isolation: PERMISSIVE FOR ALL TO public USING ${OWN_TENANT} WITH CHECK ${OWN_TENANT}`],
        systemRights: [],
      });
    }
    expect(tables.map(({ name }) => name)).toEqual(expect.arrayContaining(READ_BEFORE_A_TENANT_IS_KNOWN));
  });
});
