import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Test } from '@nestjs/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { DocumentParser } from '#libs/parsing';
import { createTestDatabase, type TestDatabase } from '#libs/testing';
import { loadServiceSettings } from './adapters.js';
import { WorkerModule } from './worker.module.js';

let database: TestDatabase;
let folder: string;

beforeAll(async () => {
  database = await createTestDatabase();
  folder = await mkdtemp(join(tmpdir(), 'kb-worker-'));
});

afterAll(async () => {
  await database.close();
  await rm(folder, { recursive: true, force: true });
});

it('the worker graph works by itself and starts without the API', async () => {
  const settings = { ...loadServiceSettings({ DATA_DIR: folder, LOG_LEVEL: 'silent' }), role: 'worker' as const };
  const graph = WorkerModule.standalone(settings, database.database);
  const module = await Test.createTestingModule({ imports: [graph] }).compile();
  await module.init();
  expect(module.get(DocumentParser, { strict: false })).toBeInstanceOf(DocumentParser);
  await module.close();
});

it('is refused with the embedded store, which one process owns', () => {
  const start = (): unknown =>
    loadServiceSettings({ ROLE: 'worker', DATABASE_URL: 'postgres://x/y', AUTH_JWT_KEY: 'k'.repeat(32) });
  expect(start).toThrow(/ROLE: worker cannot be used with VECTOR_STORE=embedded/);
});
