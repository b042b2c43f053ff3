import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ApiClient } from '../../scripts/lib/api-client.js';
import { ProviderProcess } from '../support/provider-process.js';
import { remoteSettings } from '../support/remote-models.js';
import { ServiceProcess } from '../support/service-process.js';
import { crashDocument } from './support/crash-documents.js';
import { queryUntil } from './support/stored-state.js';

const BYTES = 60_000;
/** Lines that are there before the kill. */
const COMMITTED = 8;
const SLOW_MS = 150;
const LOOK_MS = 10;
const LONGEST_MS = 60_000;
const LINES = `SELECT encode(text_hash, 'hex') AS hash FROM chunk_lines`;
const POLICY = { enrichment: { context: 'llm' }, chunking: { chunk_size: 200, chunk_overlap: 0 } };

describe('A service that SIGKILL ends while lines about chunks are written', () => {
  let double: ProviderProcess;
  let service: ServiceProcess;
  let api: ApiClient;
  beforeAll(async () => {
    double = await ProviderProcess.start('openai');
    const models = remoteSettings('openai', double.baseUrl, 'sk-of-the-crash-test');
    service = await ServiceProcess.start({ settings: { ...models, INGESTION_LEASE_SECONDS: '2' } });
    api = await new ApiClient(service.url).login(service.admin.email, service.admin.password);
  });
  afterAll(async () => {
    await service?.dispose();
    await double?.stop();
  });

  const linesOf = (isEnough: (found: readonly { hash: string }[]) => boolean = () => true) =>
    queryUntil<{ hash: string }>(join(service.folder, 'data'), { sql: LINES, pauseMs: LOOK_MS }, isEnough);
  /** The passages that a line was asked for, answered or not. */
  async function askedFor(): Promise<string[]> {
    const bodies = (await double.requests()).map(({ body }) => body as { messages?: { content: string }[] });
    const prompts = bodies.flatMap(({ messages = [] }) => messages.map(({ content }) => content));
    return prompts.flatMap((prompt) => /<passage-(\w+)>\n([\s\S]*)\n<\/passage-\1>/.exec(prompt)?.[2] ?? []);
  }

  it('completes the document with a line for each chunk, and asks for none that was committed', async () => {
    const dataset = await api.createDataset('Crash');
    const put = await api.send('PUT', `/datasets/${dataset}/ingestion-policy`, JSON.stringify(POLICY));
    expect(put.status).toBe(200);
    await double.always({ kind: 'slow', ms: SLOW_MS });
    const { id } = await api.upload(dataset, crashDocument('lines', BYTES));
    await linesOf((found) => found.length >= COMMITTED);
    await service.kill('SIGKILL');
    const committed = (await linesOf()).length;
    const before = await askedFor();
    expect(committed).toBeGreaterThanOrEqual(COMMITTED);
    expect(committed).toBeLessThanOrEqual(before.length);
    await double.forgetRequests();
    await double.always(null);
    await service.start();
    const ended = await api.pollUntilTerminal(id, { timeoutMs: LONGEST_MS });
    expect(ended).toMatchObject({ status: 'completed', warnings: [] });
    const after = await askedFor();
    expect(after.length).toBeGreaterThan(0);
    // Those that were missing, each once, and no other.
    expect(after).toHaveLength(ended.chunk_count - committed);
    expect(new Set(after).size).toBe(after.length);
    expect(new Set([...before, ...after]).size).toBe(ended.chunk_count);
    expect((await linesOf()).length).toBe(ended.chunk_count);
  });
});
