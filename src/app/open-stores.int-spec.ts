import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#libs/testing';
import { loadServiceSettings } from './adapters.js';
import { openStores } from './open-stores.js';

let db: TestDatabase;
let other: TestDatabase;
let folder: string;

beforeAll(async () => {
  [db, other] = await Promise.all([createTestDatabase(), createTestDatabase()]);
  folder = await mkdtemp(join(tmpdir(), 'kb-stores-'));
  await db.database.source.query(`DROP ROLE IF EXISTS kb_no_owner`);
  await db.database.source.query(`CREATE ROLE kb_no_owner LOGIN NOSUPERUSER NOBYPASSRLS PASSWORD 'kb-test'`);
});
afterAll(async () => {
  await db.database.source.query(`DROP ROLE kb_no_owner`);
  await Promise.all([db.close(), other.close()]);
  await rm(folder, { recursive: true, force: true });
});

/** The same address with other parts. */
function changed(url: string, parts: Partial<Pick<URL, 'username' | 'password' | 'port'>>): string {
  return Object.assign(new URL(url), parts).toString();
}

function open(url: string, migrationUrl = ''): Promise<unknown> {
  const settings = loadServiceSettings({
    DATA_DIR: folder,
    DATABASE_URL: url,
    DATABASE_MIGRATION_URL: migrationUrl,
    AUTH_JWT_KEY: 'a key for tests that is long enough',
  });
  return openStores(settings, [], pino({ level: 'silent' }));
}

describe('a database that cannot be used', () => {
  it('is told by the setting and the address of the login that failed', async () => {
    const wrongPassword = changed(db.url, { password: 'wrong' });
    const nobody = changed(db.url, { port: '1' });
    await expect(open(db.url, wrongPassword)).rejects.toThrow(/\(DATABASE_MIGRATION_URL\) .* \(28P01\)\.$/);
    await expect(open(db.url, nobody)).rejects.toThrow(/at \S+:1 \(DATABASE_MIGRATION_URL\) .* \(ECONNREFUSED\)\.$/);
    await expect(open(wrongPassword, db.url)).rejects.toThrow(/\(DATABASE_URL\) .* \(28P01\)\.$/);
    await expect(open(wrongPassword)).rejects.toThrow(/\(DATABASE_URL\) .* \(28P01\)\.$/);
  });

  it('may not be another one than that of the login that owns the tables', async () => {
    await expect(open(db.url, other.url)).rejects.toThrow(
      /^DATABASE_URL and DATABASE_MIGRATION_URL lead to different databases\./,
    );
  });

  it('says that its login has to own it', async () => {
    const login = changed(db.url, { username: 'kb_no_owner', password: 'kb-test' });
    await expect(open(login)).rejects.toThrow(/\(DATABASE_URL\) .*\(42501\)\. The login that migrates must own/);
  });
});
