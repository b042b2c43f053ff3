import { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newId } from '#libs/common';
import { createTestDatabase, createTestMember, type TestDatabase } from '#libs/testing';
import { migratePlugins, type PluginMigration, type PluginSchema } from './plugin-schemas.js';
import { tenantIsolation } from './tenant-isolation.js';

let test: TestDatabase;
let client: Client;

beforeAll(async () => {
  test = await createTestDatabase();
  client = new Client({ connectionString: test.url });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await test.close();
});
beforeEach(async () => {
  await client.query(`DROP TABLE IF EXISTS acme_notes_notes, acme_notes_words, notes; DELETE FROM plugin_migrations`);
});

function notes(...migrations: readonly PluginMigration[]): PluginSchema[] {
  return [{ plugin: 'acme-notes', migrations }];
}

function step(name: string, sql: string): PluginMigration {
  return { name, up: (query) => query(sql) };
}

const TABLE = `CREATE TABLE acme_notes_notes (id uuid PRIMARY KEY, tenant_id uuid NOT NULL, word text NOT NULL);`;
const BOUND = step('0001-notes', TABLE + tenantIsolation('acme_notes_notes'));

async function tables(): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relname LIKE '%notes%' AND relkind = 'r' ORDER BY 1`,
  );
  return rows.map(({ name }) => name);
}

describe('the tables of a plugin', () => {
  it('are made once, and a later step adds to them', async () => {
    await migratePlugins(client, notes(BOUND));
    await migratePlugins(client, notes(BOUND));
    const more = step('0002-words', `ALTER TABLE acme_notes_notes ADD COLUMN more text`);
    await migratePlugins(client, notes(BOUND, more));
    const { rows } = await client.query(`SELECT plugin, name FROM plugin_migrations ORDER BY name`);
    expect(rows).toEqual([
      { plugin: 'acme-notes', name: '0001-notes' },
      { plugin: 'acme-notes', name: '0002-words' },
    ]);
  });

  it.each([
    ['no row-level security', TABLE],
    [
      'row-level security that does not bind the owner',
      `${TABLE} ALTER TABLE acme_notes_notes ENABLE ROW LEVEL SECURITY`,
    ],
    [
      'a second policy',
      `${TABLE} ${tenantIsolation('acme_notes_notes')} CREATE POLICY open ON acme_notes_notes USING (true)`,
    ],
    [
      'a policy with a branch for no tenant',
      `${TABLE} ALTER TABLE acme_notes_notes ENABLE ROW LEVEL SECURITY; ALTER TABLE acme_notes_notes FORCE ROW LEVEL SECURITY;
       CREATE POLICY tenant_isolation ON acme_notes_notes
         USING (tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid OR current_setting('app.tenant_id', true) = '')`,
    ],
    ['no tenant', `CREATE TABLE acme_notes_notes (id uuid PRIMARY KEY)`],
    [
      'a tenant that may be absent',
      TABLE.replace('tenant_id uuid NOT NULL', 'tenant_id uuid') + tenantIsolation('acme_notes_notes'),
    ],
  ])('are refused with %s, and nothing remains', async (_case, sql) => {
    await expect(migratePlugins(client, notes(step('0001-notes', sql)))).rejects.toThrow(
      /Row-level security does not bind acme_notes_notes of the plugin "acme-notes"/,
    );
    expect(await tables()).toEqual([]);
    expect((await client.query(`SELECT 1 FROM plugin_migrations`)).rowCount).toBe(0);
  });

  it('are refused later, too, when someone has taken the isolation away', async () => {
    await migratePlugins(client, notes(BOUND));
    await client.query(`ALTER TABLE acme_notes_notes NO FORCE ROW LEVEL SECURITY`);
    await expect(migratePlugins(client, notes(BOUND))).rejects.toThrow(/Row-level security does not bind/);
  });

  it('bear the name of the plugin', async () => {
    await expect(migratePlugins(client, notes(step('0001', `CREATE TABLE notes (id uuid)`)))).rejects.toThrow(
      'The plugin "acme-notes" made notes: the names of its tables must begin with "acme_notes_".',
    );
    expect(await tables()).toEqual([]);
  });

  it('name the plugin whose step fails', async () => {
    await expect(migratePlugins(client, notes(step('0001', 'SELECT nonsense')))).rejects.toThrow(
      'A migration of the plugin "acme-notes" failed: column "nonsense" does not exist',
    );
  });
});

describe('a plugin that is absent', () => {
  it('stops the start while there are rows of it, and nothing is removed', async () => {
    await migratePlugins(client, notes(BOUND));
    const member = await createTestMember(test.unitOfWork);
    await client.query(`SELECT set_config('app.tenant_id', $1, false)`, [member.tenantId]);
    await client.query(`INSERT INTO acme_notes_notes VALUES ($1, $2, 'kept')`, [newId(), member.tenantId]);
    await client.query(`SELECT set_config('app.tenant_id', '', false)`);
    await expect(migratePlugins(client, [])).rejects.toThrow(
      'PLUGINS lacks "acme-notes", and there are rows in its tables: acme_notes_notes.',
    );
    expect(await tables()).toEqual(['acme_notes_notes']);
  });

  it('is not missed when its tables are empty', async () => {
    await migratePlugins(client, notes(BOUND));
    await expect(migratePlugins(client, [])).resolves.toBeUndefined();
  });
});
