import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '#testing/until';
import { ApiClient } from '../support/api-client.js';
import { SHIPPED_EMBEDDING, ServiceProcess } from '../support/service-process.js';

/** Two services start one after the other. */
const START_MS = 240_000;
const TEXTS = [
  'Dogs are admitted on the outer decks provided that they are kept on a lead and muzzled.',
  'Invoices are paid within thirty days after they were received by the accounts department.',
  'The engine of the ferry is inspected after every five hundred hours of service.',
  'Die Kündigungsfrist beträgt drei Monate zum Ende eines Quartals.',
];
const QUESTION = 'Can I bring my pup along?';

interface Answer {
  readonly results: readonly { readonly text: string; readonly scores: { readonly vector: number | null } }[];
  readonly retrieval: { readonly warnings: readonly { readonly code: string }[] };
}

interface ListedModel {
  readonly id: string;
  readonly port: string;
  readonly default: boolean;
}

describe('the built-in embedding model', () => {
  let folder: string;
  let service: ServiceProcess;
  let client: ApiClient;
  let former: string;
  let fresh: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'built-in-meaning-'));
    const before = await ServiceProcess.start({ settings: { DATA_DIR: folder, EMBEDDING_MODEL: 'hashing-v1' } });
    try {
      const admin = await new ApiClient(before.url).login(before.admin.email, before.admin.password);
      former = await filled(admin, 'Made before');
      await before.stop();
      service = await ServiceProcess.start({ settings: { DATA_DIR: folder, ...SHIPPED_EMBEDDING } });
      client = await new ApiClient(service.url).login(before.admin.email, before.admin.password);
      fresh = await filled(client, 'Made now');
    } finally {
      await before.dispose();
    }
  }, START_MS);
  afterAll(async () => {
    await service.dispose();
    await rm(folder, { recursive: true, force: true });
  });

  async function filled(as: ApiClient, name: string): Promise<string> {
    const dataset = await as.createDataset(name);
    for (const [n, content] of TEXTS.entries()) {
      const { id } = await as.upload(dataset, { name: `${n}.txt`, content, mediaType: 'text/plain' });
      expect((await as.pollUntilTerminal(id)).status).toBe('completed');
    }
    return dataset;
  }
  const ask = (query: string, dataset_ids: string[], search_method = 'hybrid'): Promise<Answer> =>
    client.post<Answer>('/retrieval/search', { query, dataset_ids, search_method });
  const healthOf = (dataset: string): Promise<object> => client.get<object>(`/datasets/${dataset}/health`);
  const modelOf = async (dataset: string): Promise<string> =>
    (await client.get<{ embedding: { model: string } }>(`/datasets/${dataset}`)).embedding.model;

  it('finds what answers a question in other words, and is trusted for English', async () => {
    for (const method of ['hybrid', 'vector'])
      expect((await ask(QUESTION, [fresh], method)).results[0]!.text).toContain('Dogs');
    const { models } = await client.get<{ models: { embedding: { trust: { language: string; trust: number }[] } } }>(
      '/health/details',
    );
    expect(models.embedding).toMatchObject({
      provider: 'builtin',
      model: 'meaning-v1',
      kind: 'semantic',
      instead_of: null,
      advice: expect.stringContaining('npm run model -- recommend') as string,
    });
    const trust = Object.fromEntries(models.embedding.trust.map((one) => [one.language, one.trust]));
    const { en, ...others } = trust;
    expect(en).toBe(1);
    for (const [language, one] of Object.entries(others)) expect(one, language).toBe(0.1);
  });

  it('says at the start which command finds a model for other languages', () => {
    expect(service.log).toContainEqual(
      expect.stringMatching(/^Embedding model: +meaning-v1: .*npm run model -- recommend$/),
    );
  });

  it('finds other languages by their words', async () => {
    for (const method of ['hybrid', 'vector'])
      expect((await ask('Wie lang ist die Kündigungsfrist?', [fresh], method)).results[0]!.text).toContain('drei');
  });

  it('leaves datasets of the former model as they are, searched by its vectors, alone and beside others', async () => {
    expect([await modelOf(former), await modelOf(fresh)]).toEqual(['hashing-v1', 'meaning-v1']);
    const { results, retrieval } = await ask('Are dogs admitted on decks?', [former], 'vector');
    expect(retrieval.warnings).toEqual([]);
    expect(results[0]!.text).toContain('Dogs');
    const both = await ask('Are dogs admitted on decks?', [former, fresh]);
    expect(both.retrieval.warnings).toEqual([]);
    expect(both.results.slice(0, 2).map(({ text }) => text)).toEqual([TEXTS[0], TEXTS[0]]);
  });

  it('leaves them healthy, and offers the better vectors', async () => {
    expect(await healthOf(former)).toMatchObject({
      status: 'healthy',
      stale: { embedding: TEXTS.length },
      advice: [{ code: 'EMBEDDING_DEFAULT_CHANGED' }],
    });
    expect(await healthOf(fresh)).toMatchObject({ status: 'healthy', stale: { embedding: 0 }, advice: [] });
  });

  it('is listed with the former one, and re-embeds the datasets of that', async () => {
    const { data } = await client.get<{ data: ListedModel[] }>('/models');
    expect(data.filter(({ port }) => port === 'embedding').map(({ id }) => id)).toEqual(['meaning-v1', 'hashing-v1']);
    const path = `/datasets/${former}/reembeddings`;
    const { reembedding_id: id } = await client.post<{ reembedding_id: string }>(path, {});
    await until(
      async () => (await client.get<{ status: string }>(`${path}/${id}`)).status === 'completed' || undefined,
      {
        withinMs: 60_000,
      },
    );
    expect(await modelOf(former)).toBe('meaning-v1');
    expect((await ask(QUESTION, [former])).results[0]!.text).toContain('Dogs');
    expect(await healthOf(former)).toMatchObject({ status: 'healthy', stale: { embedding: 0 }, advice: [] });
  });
});
