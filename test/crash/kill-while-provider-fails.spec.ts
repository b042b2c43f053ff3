import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ApiClient } from '../../scripts/lib/api-client.js';
import type { DocumentRecord } from '../../scripts/lib/api-records.js';
import { ProviderProcess, type ProviderFault } from '../support/provider-process.js';
import { remoteSettings } from '../support/remote-models.js';
import { ServiceProcess } from '../support/service-process.js';
import { crashDocument } from './support/crash-documents.js';
import { queryUntil } from './support/stored-state.js';

const SMALL = 40;
const LONG_BYTES = 200_000;
/** Vectors that are there before the kill. */
const COMMITTED = 30;
/** Busy, broken, and slow enough in between that there is a moment for the kill. */
const TROUBLE: readonly ProviderFault[] = [
  { kind: 'status', status: 429, retryAfter: '1' },
  { kind: 'slow', ms: 40 },
  { kind: 'status', status: 500 },
  { kind: 'slow', ms: 40 },
  { kind: 'slow', ms: 40 },
  { kind: 'slow', ms: 40 },
];
const AFTER_THE_KILL: readonly ProviderFault[] = [
  { kind: 'status', status: 500 },
  { kind: 'status', status: 429, retryAfter: '1' },
  { kind: 'status', status: 500 },
];
const VECTORS = `SELECT c.body FROM chunks c JOIN chunk_vectors v ON v.chunk_id = c.id`;
const CACHED = `SELECT DISTINCT encode(text_hash, 'hex') AS hash FROM embedding_cache`;
const LOOK_MS = 10;
const LONGEST_MS = 60_000;

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');

describe.each([
  ['and nothing but the documents keeps vectors', '0'],
  ['with the cache of embeddings', '100000'],
])('A service that SIGKILL ends while its provider answers 429 and 500, %s', (_name, rows) => {
  let double: ProviderProcess;
  let service: ServiceProcess;
  let api: ApiClient;
  beforeAll(async () => {
    double = await ProviderProcess.start('openai');
    const models = remoteSettings('openai', double.baseUrl, 'sk-of-the-crash-test');
    const settings = { INGESTION_LEASE_SECONDS: '2', EMBEDDING_BATCH_SIZE: '4', EMBEDDING_CACHE_ROWS: rows };
    service = await ServiceProcess.start({ settings: { ...models, ...settings } });
    api = await new ApiClient(service.url).login(service.admin.email, service.admin.password);
  });
  afterAll(async () => {
    await service?.dispose();
    await double?.stop();
  });

  const query = <T>(sql: string, isEnough: (found: readonly T[]) => boolean = () => true): Promise<readonly T[]> =>
    queryUntil<T>(join(service.folder, 'data'), { sql, pauseMs: LOOK_MS }, isEnough);

  async function upload(): Promise<string[]> {
    const datasetId = await api.createDataset('Crash');
    const documents = [crashDocument('long', LONG_BYTES)];
    for (let n = 0; n < SMALL; n += 1) documents.push(crashDocument(`small ${n}`, 100));
    const ids: string[] = [];
    for (const document of documents) ids.push((await api.upload(datasetId, document)).id);
    return ids;
  }

  it('completes every document, and has no text embedded again whose vector is there', async () => {
    await double.next(...Array.from({ length: 20 }, () => TROUBLE).flat());
    const ids = await upload();
    await query<{ body: string }>(VECTORS, (found) => found.length >= COMMITTED);
    await service.kill('SIGKILL');
    const committed = new Set((await query<{ body: string }>(VECTORS)).map(({ body }) => hashOf(body)));
    const kept = new Set((await query<{ hash: string }>(CACHED)).map(({ hash }) => hash));
    const before = await double.textsToEmbed();
    expect(committed.size).toBeGreaterThanOrEqual(COMMITTED);
    expect(kept.size > 0).toBe(rows !== '0');
    await double.forgetRequests();
    await double.next(...AFTER_THE_KILL);
    await service.start();
    const ended: DocumentRecord[] = [];
    for (const id of ids) ended.push(await api.pollUntilTerminal(id, { timeoutMs: LONGEST_MS }));
    expect(ended.filter(({ status }) => status !== 'completed')).toEqual([]);
    const after = await double.textsToEmbed();
    expect(after.filter((text) => committed.has(hashOf(text)) || kept.has(hashOf(text)))).toEqual([]);
    // The kill was in the middle, and the double was asked for every chunk that there is.
    const all = new Set((await query<{ body: string }>(VECTORS)).map(({ body }) => body));
    expect(all.size).toBe(ended.reduce((sum, { chunk_count: count }) => sum + count, 0));
    expect(committed.size).toBeLessThan(all.size);
    expect([...all].filter((text) => !before.includes(text) && !after.includes(text))).toEqual([]);
    for (const id of ids.slice(0, 2)) {
      const events = await api.get<{ items: readonly { event: string }[] }>(`/documents/${id}/timeline`);
      expect(events.items.filter(({ event }) => event === 'completed')).toHaveLength(1);
    }
  });
});
