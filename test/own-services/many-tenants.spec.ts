import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '#testing/until';
import { addTenants } from '../../scripts/lib/add-tenants.js';
import { useService } from '../support/service-process.js';

const COUNTER = new URL('../../scripts/lib/statement-counter.mjs', import.meta.url).href;
const TOKEN = 'token-of-the-scraper';
const TENANTS = 150;
const file = join(tmpdir(), `statement-counts-${randomUUID()}`);
const service = useService({
  settings: { METRICS_TOKEN: TOKEN, NODE_OPTIONS: `--import ${COUNTER}`, STATEMENT_COUNTS_FILE: file },
});

let datasetId: string;

beforeAll(async () => {
  datasetId = await service.admin.createDataset('Lamps');
  const { id } = await service.admin.upload(datasetId, { name: 'lamps.txt', content: 'The keeper counts the lamps.' });
  await service.admin.pollUntilTerminal(id);
});
afterAll(() => rmSync(file, { force: true }));

const REQUESTS: readonly (readonly [string, string, (() => object)?])[] = [
  ['POST', '/retrieval/search', () => ({ query: 'lamps', dataset_ids: [datasetId] })],
  ['POST', '/retrieval/explain', () => ({ query: 'lamps', dataset_ids: [datasetId], expected: { text: 'keeper' } })],
  ['GET', '/datasets/'],
  ['GET', '/documents/'],
  ['GET', '/tenants'],
  ['GET', '/auth/me'],
  ['GET', '/limits'],
  ['GET', '/health'],
  ['GET', '/health/ready'],
  ['GET', '/health/details'],
  ['GET', '/metrics'],
];

const ROUNDS = 2;

/** The fewest statements of each request in some rounds, as the service counts them once it knows the caller. */
async function countAll(): Promise<Record<string, number>> {
  if (existsSync(file)) rmSync(file);
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [method, path, body] of REQUESTS) {
      const { status } = await service.admin.send(method, path, body?.());
      expect([path, status]).toEqual([path, 200]);
    }
  }
  // A line is written once its answer is complete, which may be after it has arrived.
  await until(() => REQUESTS.every(([method, path]) => countsOf(method, path).length === ROUNDS));
  return Object.fromEntries(REQUESTS.map(([method, path]) => [path, Math.min(...countsOf(method, path))]));
}

function countsOf(method: string, path: string): number[] {
  const lines = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
  const start = `${method} /api/v1${path} `;
  return lines.filter((line) => line.startsWith(start)).map((line) => Number(line.slice(start.length)));
}

/**
 * One statement for each tenant would be 150. Some come and go in any case: what a probe found is kept for two seconds, and a statement
 * that waited for a connection is counted for the request that gave it back.
 */
const isFew = (more: number): boolean => more <= TENANTS / 10;

describe('a service with many tenants', () => {
  it('makes no more statements for a search, an explanation, a list, a probe and a scrape than with one', async () => {
    const before = await countAll();
    expect(before['/retrieval/search']).toBeGreaterThan(0);
    expect(before['/metrics']).toBeGreaterThan(0);
    await addTenants(service.process.folder, TENANTS);
    const after = await countAll();
    for (const [, path] of REQUESTS)
      expect([path, after[path]! - before[path]!]).toEqual([path, expect.toSatisfy(isFew)]);
  });
});
