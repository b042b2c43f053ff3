import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { connectBounded } from './lance-connections.js';
import { loadLance } from './lance-module.js';

const MEBIBYTE = 1_048_576;
const COMMITS = 60;
const rowsOf = (first: number, count: number): Record<string, unknown>[] =>
  Array.from({ length: count }, (_, n) => ({
    id: first + n,
    text: `word${first + n} of a text`,
    vector: [first + n, 1],
  }));

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'lance-'));
});
afterEach(async () => rm(directory, { recursive: true }));

it('keeps what it reads and writes in caches of the sizes that are set', async () => {
  const lance = await loadLance();
  const sizes = { indexCacheBytes: 2 * MEBIBYTE, metadataCacheBytes: MEBIBYTE };
  const { connection, session } = await connectBounded(lance, { directory, ...sizes });
  const table = await connection.createTable('texts', rowsOf(0, 20));
  await table.createIndex('text', { config: lance.Index.fts() });
  for (let commit = 1; commit <= COMMITS; commit += 1) {
    await table.add(rowsOf(20 * commit, 20));
    if (commit % 10 === 0) await table.optimize({ cleanupOlderThan: new Date() });
    await table.query().where('id = 5').toArray();
  }
  expect(session.approxNumItems()).toBeGreaterThan(0);
  // What is added beyond the bounds is dropped a little later.
  await expect
    .poll(() => Number(session.sizeBytes()))
    .toBeLessThan(2 * (sizes.indexCacheBytes + sizes.metadataCacheBytes));
  connection.close();
});
