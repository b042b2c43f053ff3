import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createModels, EmbedderList, InstalledModels, ModelList, type Embedder, type NamedModel } from '#libs/ai';
import { newId, type DatasetId, type DocumentId } from '#libs/common';
import {
  BUILTIN_MODELS,
  createTestDatabase,
  createTestMember,
  type TestDatabase,
  type TestMember,
} from '#libs/testing';
import { vectorStoreErrors } from '#libs/vector-store';
import { DatasetAccess } from '../../datasets/index.js';
import { createPolicyServices, type PolicyServices } from '../../ingestion-policy/testing/policy-services.js';
import { MemoryVectorStore } from '../../retrieval/testing/memory-vector-store.js';
import { appendEvents } from '../record/document-events.repository.js';
import { DatasetContentsRepository } from '../deletion/dataset-contents.repository.js';
import type { DocumentFilter } from '../record/document-list.repository.js';
import { DocumentsRepository } from '../record/documents.repository.js';
import { DatasetHealthRepository } from './dataset-health.repository.js';
import { DatasetHealthService } from './dataset-health.service.js';
import { IngestionStatisticsRepository } from '../attempts/ingestion-statistics.repository.js';
import { IngestionStatisticsService } from '../attempts/ingestion-statistics.service.js';
import { PolicyUsageRepository } from './policy-usage.repository.js';
import { TagsRepository } from '../changes/tags.repository.js';
import { DocumentLab, type DocumentInState } from '../testing/document-lab.js';

/** Holds as many rows as the test says, or does not answer. */
class CountedStore extends MemoryVectorStore {
  rowCount: number | 'down' = 0;

  override async count(): Promise<number> {
    if (this.rowCount === 'down') throw vectorStoreErrors.unavailable({ operation: 'count', reason: 'it is down' });
    return this.rowCount;
  }
}

describe('a dataset with documents', () => {
  const store = new CountedStore();
  let db: TestDatabase;
  let owner: TestMember;
  let lab: DocumentLab;
  let policies: PolicyServices;
  let embedder: Embedder;
  let dataset: DatasetId;

  beforeAll(async () => {
    db = await createTestDatabase();
    owner = await createTestMember(db.unitOfWork, 'editor');
    lab = new DocumentLab(db.unitOfWork);
    policies = createPolicyServices(db.unitOfWork);
    ({ embedder } = await createModels(BUILTIN_MODELS));
  });
  beforeEach(async () => {
    dataset = await lab.addDataset(owner);
    await db.unitOfWork.run(owner.ctx, (_manager, ctx) => policies.policies.complete(ctx, { id: dataset }));
    await useSpace(embedder.descriptor.space);
  });
  afterAll(async () => db.close());

  const useSpace = async (space: string): Promise<void> => {
    await lab.rows(owner, `UPDATE datasets SET embedding_space = $2 WHERE id = $1`, [dataset, space]);
  };
  const put = (document: DocumentInState): Promise<DocumentId> => lab.put(owner, dataset, document);
  const health = (own: Embedder = embedder, further: readonly NamedModel<Embedder>[] = []) => {
    const access = new DatasetAccess(db.unitOfWork);
    const repository = new DatasetHealthRepository(db.unitOfWork);
    const none = new ModelList(null as never);
    const models = new InstalledModels(new EmbedderList(own, further), none, none);
    return new DatasetHealthService(access, policies.policies, repository, store, models).check(owner.ctx, dataset);
  };
  const statistics = () =>
    new IngestionStatisticsService(
      new DatasetAccess(db.unitOfWork),
      new IngestionStatisticsRepository(db.unitOfWork),
    ).read(owner.ctx, dataset);

  it('has the same counts everywhere, and they agree with the filters of lists', async () => {
    await put({ status: 'completed' });
    await put({ status: 'completed', shown: false });
    // Ingested before, and shown while it is ingested again or has failed.
    await put({ status: 'processing', shown: true });
    await put({ status: 'failed', shown: true });
    await put({ status: 'quarantined' });
    const counts = { completed: 2, processing: 1, failed: 1, quarantined: 1, searchable: 3, without_text: 1, total: 5 };
    const contents = new DatasetContentsRepository(db.unitOfWork, null as never);
    expect((await contents.summarize(owner.ctx, [dataset])).get(dataset)?.counts).toMatchObject(counts);
    expect((await statistics()).document_counts).toMatchObject(counts);
    expect((await health()).document_counts).toMatchObject(counts);
    const list = new DocumentsRepository(db.unitOfWork, new DatasetAccess(db.unitOfWork));
    const countListed = async (filter: DocumentFilter): Promise<number> =>
      (await list.countVisible(owner.ctx, { datasetId: dataset, ...filter })).total;
    expect(await countListed({ searchable: true })).toBe(counts.searchable);
    expect(await countListed({ status: 'completed', searchable: false })).toBe(counts.without_text);
  });

  describe('its health', () => {
    it('is only "empty" while no document is completed', async () => {
      expect(await health()).toEqual({ status: 'empty' });
      await put({ status: 'failed' });
      await put({ status: 'pending' });
      expect(await health()).toEqual({ status: 'empty' });
    });

    it('is healthy when there is nothing to do', async () => {
      await put({ status: 'completed' });
      await put({ status: 'completed' });
      store.rowCount = 6;
      expect(await health()).toEqual({
        status: 'healthy',
        document_counts: {
          pending: 0,
          processing: 0,
          completed: 2,
          failed: 0,
          quarantined: 0,
          cancelled: 0,
          searchable: 2,
          without_text: 0,
          total: 2,
        },
        chunk_count: 6,
        documents_without_chunks: 0,
        stale: { policy: 0, embedding: 0, fit: 0 },
        failed_share: 0,
        index: { expected_rows: 6, stored_rows: 6, parity: 'equal' },
        last_ingestion_at: null,
        advice: [],
      });
    });

    it('counts failed and quarantined documents and those without chunks', async () => {
      await put({ status: 'completed' });
      await put({ status: 'completed', shown: false });
      await put({ status: 'failed' });
      await put({ status: 'quarantined' });
      store.rowCount = 6;
      const { advice, ...found } = await health();
      expect(found).toMatchObject({
        status: 'degraded',
        document_counts: { completed: 2, searchable: 1, without_text: 1, total: 4 },
        chunk_count: 3,
        documents_without_chunks: 1,
        failed_share: 0.25,
        index: { expected_rows: 6, parity: 'equal' },
      });
      expect(advice?.map(({ code }) => code)).toEqual(['FAILED_DOCUMENTS', 'DOCUMENTS_WITHOUT_CHUNKS']);
    });

    it('distinguishes a vector store with missing rows, one with surplus rows and one that does not answer', async () => {
      await put({ status: 'completed' });
      store.rowCount = 2;
      expect(await health()).toMatchObject({
        status: 'degraded',
        index: { expected_rows: 3, stored_rows: 2, parity: 'missing_rows' },
        advice: [{ code: 'INDEX_INCOMPLETE' }],
      });
      store.rowCount = 5;
      expect(await health()).toMatchObject({ status: 'healthy', index: { stored_rows: 5, parity: 'surplus_rows' } });
      store.rowCount = 'down';
      expect(await health()).toMatchObject({
        index: { stored_rows: null, parity: 'unknown' },
        advice: [{ code: 'INDEX_UNKNOWN' }],
      });
    });

    it('says when a model reads less than the chunk size of the policy, also before a re-embedding', async () => {
      await put({ status: 'completed' });
      store.rowCount = 3;
      const { descriptor } = embedder;
      const reading = (maxInputTokens: number, space: string = descriptor.space): Embedder =>
        ({ descriptor: { ...descriptor, model: 'short-sighted', maxInputTokens, space } }) as Embedder;
      expect((await health(reading(512))).advice).toEqual([]);
      const { advice, status } = await health(reading(256));
      expect(status).toBe('healthy');
      expect(advice).toMatchObject([{ code: 'CHUNKS_LONGER_THAN_MODEL' }]);
      expect(advice![0]!.detail).toMatch(/512 tokens, but short-sighted reads only the first 256/);
      const codes = (await health(reading(256, 'another-space'))).advice?.map(({ code }) => code);
      expect(codes).toEqual(['STALE_EMBEDDING', 'CHUNKS_LONGER_THAN_MODEL']);
      await policies.changes.replace(owner.ctx, dataset, { chunking: { chunk_size: 256 } }, {});
      expect((await health(reading(256))).advice?.map(({ code }) => code)).toEqual(['STALE_POLICY']);
    });

    it('recommends a reingest of chunks that fit the former model after a re-embedding, until it is done', async () => {
      const id = await put({ status: 'completed' });
      store.rowCount = 3;
      await policies.changes.replace(owner.ctx, dataset, { chunking: { fit_model: true } }, {});
      await lab.rows(owner, `UPDATE documents SET ingested_policy_version = 2, completed_at = now() WHERE id = $1`, [
        id,
      ]);
      const codes = async (): Promise<unknown> => (await health()).advice?.map(({ code }) => code);
      expect(await codes()).toEqual([]);
      await lab.rows(
        owner,
        `INSERT INTO reembeddings (id, tenant_id, dataset_id, status, from_space, from_embedding, to_space, to_embedding, documents, switched_at)
         VALUES ($1, $2, $3, 'completed', 'before', '{}', $4, '{}', 1, now() + interval '1 s')`,
        [newId(), owner.tenantId, dataset, embedder.descriptor.space],
      );
      expect(await health()).toMatchObject({ status: 'degraded', stale: { policy: 0, embedding: 0, fit: 1 } });
      expect(await codes()).toEqual(['CHUNKS_FIT_ANOTHER_MODEL']);
      await policies.changes.replace(owner.ctx, dataset, {}, {});
      expect(await codes()).toEqual(['STALE_POLICY']);
      await policies.changes.rollBack(owner.ctx, dataset, 2, {});
      await lab.rows(owner, `UPDATE documents SET completed_at = now() + interval '2 s' WHERE id = $1`, [id]);
      expect(await codes()).toEqual([]);
    });

    it('counts documents of another policy as stale, but not those of an equal one', async () => {
      await put({ status: 'completed', policyVersion: 1 });
      await put({ status: 'completed', policyVersion: 2, ingestedPolicyVersion: 1 });
      store.rowCount = 6;
      await policies.changes.replace(owner.ctx, dataset, { chunking: { chunk_size: 100 } }, {});
      expect(await health()).toMatchObject({ stale: { policy: 2 }, advice: [{ code: 'STALE_POLICY' }] });
      await policies.changes.rollBack(owner.ctx, dataset, 1, {});
      expect(await health()).toMatchObject({ status: 'healthy', stale: { policy: 0 } });
    });

    it('counts documents of another embedding model as stale', async () => {
      await put({ status: 'completed' });
      await put({ status: 'completed', shown: false });
      store.rowCount = 3;
      await useSpace('some-older-space');
      const { stale, advice } = await health();
      expect(stale).toEqual({ policy: 0, embedding: 1, fit: 0 });
      expect(advice?.map(({ code }) => code)).toContain('STALE_EMBEDDING');
    });

    it('stays healthy when an upgrade brings a better model, which is offered while the old vectors are searched as before', async () => {
      await put({ status: 'completed' });
      store.rowCount = 3;
      // A model that the policies of these tests name.
      const descriptor = { ...embedder.descriptor, model: 'test-model' };
      const own = { descriptor } as Embedder;
      const former = {
        id: 'former-v1',
        model: { descriptor: { ...descriptor, model: 'former-v1', space: 'former-space' } } as Embedder,
        formerOf: descriptor.space,
      };
      await useSpace('former-space');
      const found = await health(own, [former]);
      expect(found).toMatchObject({ status: 'healthy', stale: { policy: 0, embedding: 1, fit: 0 } });
      expect(found.advice).toMatchObject([{ code: 'EMBEDDING_DEFAULT_CHANGED' }]);
      expect(found.advice![0]!.detail).toContain(`New datasets have vectors of ${descriptor.model}`);
      for (const others of [[], [{ ...former, formerOf: 'space-of-another-model' }]]) {
        expect(await health(own, others)).toMatchObject({
          status: 'degraded',
          advice: [{ code: 'STALE_EMBEDDING' }],
        });
      }
      await policies.changes.replace(owner.ctx, dataset, { embedding: { model: descriptor.model } }, {});
      expect(await health(own, [former])).toMatchObject({
        status: 'degraded',
        advice: [{ code: 'STALE_EMBEDDING' }],
      });
      const renamed = { ...former, model: { descriptor: { ...descriptor, space: 'former-space' } } as Embedder };
      expect(await health(own, [renamed])).toMatchObject({
        status: 'healthy',
        advice: [{ code: 'EMBEDDING_DEFAULT_CHANGED' }],
      });
    });

    it('names a threshold whose meaning a re-embedding would change, until the dataset has calibrated similarities', async () => {
      await put({ status: 'completed' });
      store.rowCount = 3;
      const semantic = { descriptor: { ...embedder.descriptor, kind: 'semantic' } } as Embedder;
      expect((await health(semantic)).advice).toEqual([]);
      const use = (score_threshold: number): Promise<unknown> =>
        policies.changes.replace(owner.ctx, dataset, { retrieval_defaults: { score_threshold } }, {});
      await use(0);
      expect((await health(semantic)).advice).toEqual([]);
      await use(0.31);
      const { status, advice } = await health(semantic);
      expect(status).toBe('healthy');
      expect(advice).toMatchObject([{ code: 'SCORE_THRESHOLD_RESCALED' }]);
      expect(advice![0]!.detail).toContain('score_threshold 0.31');
      expect((await health({ descriptor: { ...embedder.descriptor, kind: 'hashed' } } as Embedder)).advice).toEqual([]);
      await lab.rows(owner, `UPDATE datasets SET embedding = embedding || '{"scale": "calibrated"}' WHERE id = $1`, [
        dataset,
      ]);
      expect((await health(semantic)).advice).toEqual([]);
    });

    it('is 404 for a caller who does not see the dataset', async () => {
      const foreigner = await createTestMember(db.unitOfWork, 'owner');
      const access = new DatasetAccess(db.unitOfWork);
      const service = new IngestionStatisticsService(access, new IngestionStatisticsRepository(db.unitOfWork));
      const notFound = { code: 'datasets.not_found' };
      await expect(service.read(foreigner.ctx, dataset)).rejects.toMatchObject(notFound);
      const tags = new TagsRepository(db.unitOfWork, access);
      await expect(tags.list(foreigner.ctx, dataset, { skip: 0, limit: 5 })).rejects.toMatchObject(notFound);
    });
  });

  describe('its statistics', () => {
    const note = (id: DocumentId, events: Parameters<typeof appendEvents>[3]) =>
      db.unitOfWork.run(owner.ctx, (manager) => appendEvents(manager, owner.tenantId, id, events));

    it('of an empty dataset are zeros', async () => {
      const found = await statistics();
      expect(found).toMatchObject({ chunks: 0, tokens: 0, bytes: 0, failures: [], throughput: { completed: 0 } });
      expect(found.durations.map(({ stage, count, p50_ms: p50 }) => [stage, count, p50])).toEqual([
        ['parsing', 0, null],
        ['chunking', 0, null],
        ['embedding', 0, null],
        ['vector_write', 0, null],
        ['total', 0, null],
      ]);
    });

    it('count states, stages, sizes and failures', async () => {
      await put({ status: 'completed' });
      await put({ status: 'completed', shown: false });
      await put({ status: 'processing' });
      await put({ status: 'failed' });
      await put({ status: 'failed' });
      expect(await statistics()).toMatchObject({
        document_counts: { completed: 2, processing: 1, failed: 2, searchable: 1, without_text: 1, total: 5 },
        stages: { parsing: 0, chunking: 1, embedding: 0, vector_write: 0 },
        chunks: 3,
        bytes: 500,
        failures: [{ code: 'BROKEN_FILE', count: 2 }],
      });
    });

    it('give percentiles per stage without results that were reused', async () => {
      const id = await put({ status: 'completed' });
      for (let ms = 1; ms <= 100; ms += 1)
        await note(id, [{ event: 'stage_completed', stage: 'parsing', details: { ms } }]);
      await note(id, [
        { event: 'stage_completed', stage: 'parsing', details: { ms: 9_999, resumed: true } },
        { event: 'stage_completed', stage: 'chunking', details: { chunks: 3 } },
        { event: 'completed', details: { ms: 250 } },
      ]);
      const { durations, throughput } = await statistics();
      expect(durations[0]).toEqual({ stage: 'parsing', count: 100, p50_ms: 50, p95_ms: 95, p99_ms: 99 });
      expect(durations[1]).toMatchObject({ stage: 'chunking', count: 0 });
      expect(durations[4]).toMatchObject({ stage: 'total', count: 1, p50_ms: 250 });
      expect(throughput).toEqual({ window_hours: 24, completed: 1, documents_per_hour: 0.04 });
    });
  });

  it('its tags are counted once per document, the most frequent first, and can be looked for', async () => {
    await put({ status: 'completed', tags: ['red', 'Blue', 'red'] });
    await put({ status: 'failed', tags: ['red', '100%'] });
    const tags = new TagsRepository(db.unitOfWork, new DatasetAccess(db.unitOfWork));
    const list = (q?: string, skip = 0) =>
      tags.list(owner.ctx, dataset, { skip, limit: 2, ...(q === undefined ? {} : { q }) });
    expect(await list()).toEqual({
      items: [
        { tag: 'red', count: 2 },
        { tag: '100%', count: 1 },
      ],
      total: 3,
      skip: 0,
      limit: 2,
    });
    expect((await list(undefined, 2)).items).toEqual([{ tag: 'Blue', count: 1 }]);
    expect((await list('BL')).items).toEqual([{ tag: 'Blue', count: 1 }]);
    expect((await list('%')).items).toEqual([{ tag: '100%', count: 1 }]);
  });

  it('uses policy versions by latest attempts and by shown chunks', async () => {
    const usage = new PolicyUsageRepository(db.unitOfWork);
    await put({ status: 'completed', policyVersion: 4, ingestedPolicyVersion: 2 });
    await put({ status: 'pending', policyVersion: 4 });
    const deleted = await put({ status: 'completed', policyVersion: 6 });
    await lab.rows(owner, `UPDATE documents SET deleted_at = now() WHERE id = $1`, [deleted]);
    const versions = [1, 2, 3, 4, 5, 6];
    expect((await usage.versionsInUse(owner.ctx, dataset, versions)).toSorted()).toEqual([2, 4]);
    expect(await usage.countDocuments(owner.ctx, dataset, versions)).toEqual(
      new Map([
        [2, 1],
        [4, 1],
      ]),
    );
  });
});
