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

/** Statements of each request, as the service counts them once it knows the caller. */
async function countAll(): Promise<Record<string, number>> {
  for (let round = 0; round < 2; round += 1) {
    if (existsSync(file)) rmSync(file);
    for (const [method, path, body] of REQUESTS) {
      const { status } = await service.admin.send(method, path, body?.());
      expect([path, status]).toEqual([path, 200]);
    }
  }
  // A line is written once its answer is complete, which may be after it has arrived.
  const read = (): string[] => (existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : []);
  await until(() =>
    REQUESTS.every(([method, path]) => read().some((each) => each.startsWith(`${method} /api/v1${path} `))),
  );
  const lines = read();
  return Object.fromEntries(
    REQUESTS.map(([method, path]) => {
      const line = lines.findLast((each) => each.startsWith(`${method} /api/v1${path} `));
      return [path, Number(line?.split(' ').at(-1))];
    }),
  );
}

/** What is kept in memory after more requests saves some. */
const isAtMost0 = (more: number): boolean => more <= 0;

describe('a service with many tenants', () => {
  it('makes no more statements for a search, an explanation, a list, a probe and a scrape than with one', async () => {
    const before = await countAll();
    expect(before['/retrieval/search']).toBeGreaterThan(0);
    expect(before['/metrics']).toBeGreaterThan(0);
    await addTenants(service.process.folder, TENANTS);
    const after = await countAll();
    for (const [, path] of REQUESTS)
      expect([path, after[path]! - before[path]!]).toEqual([path, expect.toSatisfy(isAtMost0)]);
  });
});
