import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '#testing/until';
import { ApiClient } from '../../scripts/lib/api-client.js';
import { buildGraph, tellGraph } from '../support/knowledge-graphs.js';
import { ProviderProcess } from '../support/provider-process.js';
import { remoteSettings } from '../support/remote-models.js';
import { ServiceProcess } from '../support/service-process.js';
import { queryUntil } from './support/stored-state.js';

const DOCUMENTS = 12;
/** Answers that are kept before the kill. */
const COMMITTED = 5;
const SLOW_MS = 300;
const LOOK_MS = 10;
const NAMES = ['Maren Oxley', 'Quentin Marlow', 'Ottilie Brandt'];
const TOLD = Array.from(
  { length: DOCUMENTS },
  (_, n) => `${NAMES[n % 3]} leads Harbour Works Ltd in Leeds. ${NAMES[(n + 1) % 3]} owns Pier ${n + 1} Company.`,
);
const ANSWERS = `SELECT encode(chunk_hash, 'hex') AS hash FROM kg_chunk_answers`;

describe('A service that SIGKILL ends while a chat model extracts a graph', () => {
  let double: ProviderProcess;
  let service: ServiceProcess;
  let api: ApiClient;
  beforeAll(async () => {
    double = await ProviderProcess.start('openai');
    const models = remoteSettings('openai', double.baseUrl, 'sk-of-the-crash-test');
    service = await ServiceProcess.start({
      settings: { ...models, LEASE_SECONDS: '2', EMBEDDING_PROVIDER: 'builtin', EMBEDDING_MODEL: 'hashing-v1' },
    });
    api = await new ApiClient(service.url).login(service.admin.email, service.admin.password);
  });
  afterAll(async () => {
    await service?.dispose();
    await double?.stop();
  });

  const answers = (isEnough: (found: readonly { hash: string }[]) => boolean = () => true) =>
    queryUntil<{ hash: string }>(join(service.folder, 'data'), { sql: ANSWERS, pauseMs: LOOK_MS }, isEnough);
  /** Passages that the model was asked about, answered or not. */
  async function askedFor(): Promise<string[]> {
    const bodies = (await double.requests()).map(({ body }) => body as { messages?: { content: string }[] });
    const prompts = bodies.flatMap(({ messages = [] }) => messages.map(({ content }) => content));
    return prompts.flatMap((prompt) => /<passage-(\w+)>\n([\s\S]*)\n<\/passage-\1>/.exec(prompt)?.[2] ?? []);
  }
  async function datasetOf(name: string): Promise<string> {
    const dataset = await api.createDataset(name);
    for (const [n, content] of TOLD.entries()) {
      const { id } = await api.upload(dataset, { name: `told-${n}.txt`, content });
      await api.pollUntilTerminal(id);
    }
    return dataset;
  }

  it('goes on after the next start, and pays for no answer that was committed', async () => {
    const dataset = await datasetOf('Crash');
    await double.always({ kind: 'slow', ms: SLOW_MS });
    await double.forgetRequests();
    const { id } = await api.post<{ id: string }>('/kg/trigger', { dataset_id: dataset, mode: 'llm' });
    await answers((found) => found.length >= COMMITTED);
    await service.kill('SIGKILL');
    const committed = (await answers()).length;
    const before = await askedFor();
    expect(committed).toBeGreaterThanOrEqual(COMMITTED);
    await double.forgetRequests();
    await double.always(null);
    await service.start();
    const isDone = async () => (await api.get<{ status: string }>(`/kg/${id}`)).status === 'completed';
    await until(isDone, { what: 'the graph', withinMs: 60_000 });
    const after = await askedFor();
    expect(after.length).toBe(DOCUMENTS - committed);
    expect(new Set([...before, ...after])).toEqual(new Set(TOLD));
    expect(await api.get(`/kg/${id}`)).toMatchObject({
      progress: { done: DOCUMENTS, total: DOCUMENTS },
      usage: { calls: DOCUMENTS },
    });
    const whole = await datasetOf('Whole');
    await buildGraph(api, whole, { mode: 'llm' });
    expect((await askedFor()).length).toBe(after.length);
    expect(await tellGraph(api, dataset)).toEqual(await tellGraph(api, whole));
  }, 120_000);
});
