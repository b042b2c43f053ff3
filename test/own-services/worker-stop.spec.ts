import { afterAll, beforeAll, expect, it } from 'vitest';
import { until } from '#testing/until';
import type { ApiClient, DocumentRecord } from '../support/api-client.js';
import { ProviderProcess } from '../support/provider-process.js';
import { ServiceGroup } from '../support/service-group.js';
import { SmallEngine } from '../support/small-engine.js';

const DOCUMENTS = 6;

let engine: SmallEngine;
let double: ProviderProcess;
let group: ServiceGroup;
let client: ApiClient;

beforeAll(async () => {
  engine = await SmallEngine.start();
  double = await ProviderProcess.start('openai');
  const settings = {
    VECTOR_STORE: 'elasticsearch',
    ELASTICSEARCH_URL: engine.url,
    EMBEDDING_PROVIDER: 'openai',
    EMBEDDING_MODEL: 'double-embed',
    EMBEDDING_DIMENSIONS: '64',
    OPENAI_BASE_URL: double.baseUrl,
    OPENAI_API_KEY: 'sk-of-workers',
    // What a worker kept for itself when it stopped would not be taken by another one within this test.
    INGESTION_LEASE_SECONDS: '300',
    WORKER_CONCURRENCY: '2',
  };
  group = await ServiceGroup.start({ apis: 1, workers: 1, settings });
  client = await group.client(0);
});

afterAll(async () => {
  await group?.dispose();
  await double?.stop();
  await engine?.close();
});

it('a worker that is told to stop gives back what it works on, and another one goes on with it at once', async () => {
  const datasetId = await client.createDataset('Handed on');
  await double.always({ kind: 'slow', ms: 60_000 });
  const ids: string[] = [];
  for (let n = 0; n < DOCUMENTS; n += 1) {
    const file = { name: `number-${n}.txt`, content: `The lamp with the number ${n} is lit at dusk.` };
    ids.push((await client.upload(datasetId, file)).id);
  }
  await until(async () => (await double.requests()).length >= 2, { what: 'documents in work' });

  const [worker] = group.workers;
  await worker!.kill('SIGTERM');
  const said = worker!.log.join('\n');
  expect(said).toContain('service.stopping');
  expect(said).not.toMatch(/"level":"(error|fatal)"|service\.stop_failed/);
  const left = await Promise.all(ids.map((id) => client.get<DocumentRecord>(`/documents/${id}`)));
  expect(left.map(({ status }) => status)).not.toContain('failed');

  await double.always(null);
  await group.add('worker');
  const ended = await Promise.all(ids.map((id) => client.pollUntilTerminal(id)));
  expect(ended.map(({ status, error }) => [status, error])).toEqual(ids.map(() => ['completed', null]));
  expect(engine.rows).toHaveLength(ended.reduce((sum, { chunk_count: count }) => sum + count, 0));
});
