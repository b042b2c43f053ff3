import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createModels } from '#libs/ai';
import { newId, type DatasetId } from '#libs/common';
import {
  BUILTIN_MODELS,
  createTestDatabase,
  createTestMember,
  type TestDatabase,
  type TestMember,
} from '#libs/testing';
import { VectorStore, VectorStoreModule } from '#libs/vector-store';
import type { RetrievalService } from './retrieval.service.js';
import { MemoryVectorStore } from '../testing/memory-vector-store.js';
import { RetrievalLibrary } from '../testing/retrieval-library.js';
import { createRetrieval } from '../testing/retrieval-services.js';

const TOPICS = ['pump', 'valve', 'seal', 'gauge', 'invoice', 'contract', 'warranty', 'pressure'];
const textOf = (n: number): string =>
  `Section ${n} tells about the ${TOPICS[n % 8]} and the ${TOPICS[(n * 3 + 1) % 8]}, part ${n * 37}.`;

describe('retrieval over the embedded store', () => {
  let directory: string;
  let app: INestApplicationContext;
  let db: TestDatabase;
  let member: TestMember;
  let dataset: DatasetId;
  let embedded: RetrievalService;
  let inMemory: RetrievalService;
  let library: RetrievalLibrary;

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'retrieval-'));
    app = await NestFactory.createApplicationContext(VectorStoreModule.forRoot({ kind: 'embedded', directory }), {
      logger: false,
    });
    db = await createTestDatabase();
    const models = await createModels(BUILTIN_MODELS);
    const stores = [app.get(VectorStore), new MemoryVectorStore()] as const;
    const both = new Proxy(stores[1], {
      get:
        (_target, name: 'write' | 'ensureIndex') =>
        async (...call: Parameters<VectorStore['write']>) => {
          for (const store of stores) await (store[name] as VectorStore['write'])(...call);
        },
    });
    library = new RetrievalLibrary(db.unitOfWork, both, models.embedder);
    embedded = createRetrieval(db.unitOfWork, stores[0], models);
    inMemory = createRetrieval(db.unitOfWork, stores[1], models);
    member = await createTestMember(db.unitOfWork, 'editor');
    dataset = await library.addDataset(member);
    for (let document = 0; document < 8; document += 1) {
      const texts = [0, 1, 2, 3, 4].map((ordinal) => textOf(document * 5 + ordinal));
      await library.addDocument(member, dataset, { texts, tags: document % 2 === 0 ? ['even'] : [] });
    }
  });
  afterAll(async () => {
    await app.close();
    await db.close();
    await rm(directory, { recursive: true, force: true });
  });

  it.each([
    ['Which section tells about the pump?', {}],
    ['part 370', { search_method: 'keyword' as const }],
    ['pressure of the valve', { search_method: 'vector' as const }],
    ['seal and gauge', { filters: { type: 'eq', key: 'tags', value: 'even' } }],
    ['warranty', { filters: { type: 'not', filters: [{ type: 'eq', key: 'tags', value: 'even' }] } }],
  ])('answers "%s" with %j exactly as over another store', async (query, options) => {
    const request = { query, dataset_ids: [dataset], ...options };
    const shown = async (retrieval: RetrievalService): Promise<unknown[]> =>
      (await retrieval.retrieve(member.ctx, request)).results.map(({ chunkId, score, ranks }) => ({
        chunkId,
        score,
        ranks,
      }));
    const answer = await shown(embedded);
    expect(answer.length).toBeGreaterThan(0);
    expect(answer).toEqual(await shown(inMemory));
  });

  it('finds nothing in a dataset that has no index yet', async () => {
    const empty = await library.addDataset(member);
    expect((await embedded.retrieve(member.ctx, { query: 'pump', dataset_ids: [empty] })).results).toEqual([]);
    const both = await embedded.retrieve(member.ctx, { query: `pump ${newId()}`, dataset_ids: [empty, dataset] });
    expect(both.results.length).toBeGreaterThan(0);
  });
});
