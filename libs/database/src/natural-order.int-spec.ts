import { Client } from 'pg';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#libs/testing';
import { migrate } from './migrate.js';

let db: TestDatabase;
let superuser: Client;

beforeAll(async () => {
  db = await createTestDatabase();
  const url = new URL(inject('clusterUrl'));
  url.pathname = new URL(db.url).pathname;
  superuser = new Client({ connectionString: url.href });
  await superuser.connect();
});
afterAll(async () => {
  await superuser.end();
  await db.close();
});

it('names are ordered by the value of their numbers, and with accents and capitals beside the plain letters', async () => {
  const { rows } = await superuser.query<{ names: string[] }>(
    `SELECT array_agg(name ORDER BY name COLLATE natural_order) AS names
     FROM unnest(ARRAY['b 10', 'B 2', 'Ä', 'a', 'z', 'b 1', '٢', '1']) AS t(name)`,
  );
  expect(rows[0]!.names).toEqual(['1', '٢', 'a', 'Ä', 'b 1', 'B 2', 'b 10', 'z']);
});

it('at a start with another version of ICU, the indexes of names are sorted again', async () => {
  const state = async () =>
    (
      await superuser.query<{ version: string; file: string }>(
        `SELECT collversion AS version, pg_relation_filenode('documents_named') AS file
         FROM pg_collation WHERE collname = 'natural_order'`,
      )
    ).rows[0]!;
  const start = () => migrate({ migrationUrl: db.url, serviceUrl: db.url, rolePrefix: 'kb', also: [] });
  const before = await state();
  await start();
  expect(await state()).toEqual(before);
  await superuser.query(`UPDATE pg_collation SET collversion = '1.0' WHERE collname = 'natural_order'`);
  await start();
  const after = await state();
  expect(after.version).toBe(before.version);
  expect(after.file).not.toBe(before.file);
});
