import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createModels, Embedder, type EmbeddedTexts, type EmbedderDescriptor, type EmbeddingPurpose } from '#libs/ai';
import type { DatasetId } from '#libs/common';
import {
  BUILTIN_MODELS,
  createTestDatabase,
  createTestMember,
  type TestDatabase,
  type TestMember,
} from '#libs/testing';
import { until } from '#testing/until';
import type { VectorStore } from '#libs/vector-store';
import type { RetrievalOutcome } from '../results/retrieval-outcome.js';
import type { SearchTrace } from '../results/search-trace.js';
import { SearchedDatasets } from '../search/searched-datasets.service.js';
import { MadeUpTexts } from '../testing/made-up-texts.js';
import { RetrievalLibrary } from '../testing/retrieval-library.js';
import { createRetrieval, scalesOver, type RetrievalModels } from '../testing/retrieval-services.js';
import { openTestStores, type TestStore } from '../testing/test-stores.js';

const LONG_MS = 600_000;
const OTHER_QUESTIONS = 500;
const CALIBRATED = { scale: 'calibrated' };
const ENGLISH = 'Which part of it is that with the cordi and the lambane for us?';
const FINNISH = 'Mitä on se, että hän ei ole vielä tullut, ja mikä on oikea vastaus tähän?';

/** Vectors of the built-in model, said to be of a trained one, and all close together as those of some models are. */
class CrowdedEmbedder extends Embedder {
  readonly descriptor: EmbedderDescriptor;
  embedded = 0;

  constructor(private readonly inner: Embedder) {
    super();
    const { dimensions } = inner.descriptor;
    this.descriptor = { ...inner.descriptor, dimensions: dimensions + 1, kind: 'semantic', space: 'test-crowded' };
  }

  override async embed(texts: readonly string[], purpose: EmbeddingPurpose): Promise<EmbeddedTexts> {
    this.embedded += texts.length;
    const { vectors, usage } = await this.inner.embed(texts, purpose);
    const half = Math.sqrt(0.5);
    return { usage, vectors: vectors.map((vector) => Float32Array.from([...vector, 1], (value) => value * half)) };
  }
}

/** A model of the service itself that answers when the gate opens. */
class MeasuredLater extends Embedder {
  readonly descriptor: EmbedderDescriptor;
  asked = 0;

  constructor(
    private readonly inner: Embedder,
    private readonly gate: Promise<void>,
  ) {
    super();
    this.descriptor = { ...inner.descriptor, answersFrom: 5, space: 'test-later' };
  }

  override async embed(texts: readonly string[], purpose: EmbeddingPurpose): Promise<EmbeddedTexts> {
    this.asked += 1;
    await this.gate;
    return this.inner.embed(texts, purpose);
  }
}

describe('searches by calibrated cosines', { timeout: LONG_MS }, () => {
  const texts = new MadeUpTexts();
  const chunks = Array.from({ length: 48 }, (_, n) => `${texts.chunk(n)} Then ${texts.chunk(n).slice(0, 180)}.`);
  const questions = [...Array.from({ length: 12 }, (_, n) => texts.question(n)), ENGLISH, FINNISH];
  let directory: string;
  let db: TestDatabase;
  let models: RetrievalModels;
  let embedder: CrowdedEmbedder;
  let stores: TestStore[];
  let owner: TestMember;
  let library: RetrievalLibrary;
  let dataset: DatasetId;
  let older: DatasetId;

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'calibrated-'));
    db = await createTestDatabase();
    const builtin = await createModels(BUILTIN_MODELS);
    embedder = new CrowdedEmbedder(builtin.embedder);
    models = { ...builtin, embedder };
    stores = await openTestStores(directory);
    library = new RetrievalLibrary(db.unitOfWork, toAll(stores), embedder);
    owner = await createTestMember(db.unitOfWork, 'editor');
    dataset = await library.addDataset(owner, 'all_team_members', CALIBRATED);
    older = await library.addDataset(owner);
    for (const id of [dataset, older])
      for (let n = 0; n < chunks.length; n += 4)
        await library.addDocument(owner, id, { texts: chunks.slice(n, n + 4) });
  }, LONG_MS);
  afterAll(async () => {
    for (const store of stores) {
      await store.removeIndexes();
      await store.close();
    }
    await db.close();
    await rm(directory, { recursive: true, force: true });
  });

  /** By caches that know nothing yet. */
  async function answersOf(id: DatasetId, store: VectorStore = stores[0]!.store): Promise<unknown[]> {
    const retrieval = createRetrieval(db.unitOfWork, store, models);
    const all: unknown[] = [];
    for (const query of questions) {
      const { results } = await retrieval.retrieve(owner.ctx, { query, dataset_ids: [id], top_k: 10 });
      all.push(results.map(({ text, score, scores }) => ({ text, score, scores })));
    }
    return all;
  }

  async function search(query: string, id: DatasetId): Promise<{ outcome: RetrievalOutcome; trace: SearchTrace }> {
    const retrieval = createRetrieval(db.unitOfWork, stores[0]!.store, models);
    const request = { query, dataset_ids: [id], top_k: 10 };
    const trace = await retrieval.trace(owner.ctx, request);
    return { outcome: trace.outcome, trace };
  }

  it('wait for a model that is being measured before their time begins to run', async () => {
    const gate = Promise.withResolvers<void>();
    const slow = new MeasuredLater(embedder, gate.promise);
    const begins = vi.spyOn(SearchedDatasets.prototype, 'require');
    const retrieval = createRetrieval(db.unitOfWork, stores[0]!.store, { ...models, embedder: slow });
    const request = { query: ENGLISH, dataset_ids: [dataset] };
    const searching = retrieval.retrieve(owner.ctx, request);
    await until(() => slow.asked > 0, { what: 'it is measured', withinMs: 10_000 });
    expect(begins).not.toHaveBeenCalled();
    await retrieval.retrieve(owner.ctx, { ...request, search_method: 'keyword' });
    const leaving = new AbortController();
    const left = retrieval.retrieve(owner.ctx, request, { signal: leaving.signal });
    leaving.abort(new Error('left'));
    await expect(left).rejects.toThrow('left');
    gate.resolve();
    expect((await searching).results.length).toBeGreaterThan(0);
    begins.mockRestore();
  });

  it('measure a model once, for all questions and processes', async () => {
    await scalesOver(db.unitOfWork, embedder).measureAll();
    const before = embedder.embedded;
    await scalesOver(db.unitOfWork, embedder).measureAll();
    await createRetrieval(db.unitOfWork, stores[0]!.store, models).retrieve(owner.ctx, {
      query: ENGLISH,
      dataset_ids: [dataset],
    });
    expect(embedder.embedded - before).toBe(1);
  });

  it('spread cosines that lie close together, and leave those of older datasets as they are', async () => {
    const spreadOf = ({ outcome }: { outcome: RetrievalOutcome }): number => {
      const cosines = outcome.results.map(({ scores }) => scores.vector ?? 0);
      return Math.max(...cosines) - Math.min(...cosines);
    };
    const [calibrated, raw] = [await search(ENGLISH, dataset), await search(ENGLISH, older)];
    expect(Math.min(...raw.outcome.results.map(({ scores }) => scores.vector ?? 1))).toBeGreaterThan(0.4);
    expect(spreadOf(calibrated)).toBeGreaterThan(2 * spreadOf(raw));
    expect(raw.trace.scoring.calibrations.get('test-crowded')?.calibration).toBeNull();
  });

  it('say by what they were calibrated: probe texts, or otherwise a sample of the datasets', async () => {
    const trustIn = async (query: string): Promise<unknown> =>
      (await search(query, dataset)).trace.scoring.calibrations.get('test-crowded');
    expect(await trustIn(ENGLISH)).toMatchObject({ language: 'en', source: 'probes', trust: 0.1 });
    await library.change(
      owner,
      await library.addDocument(owner, dataset, { texts: chunks.slice(0, 4) }),
      `language = 'fi'`,
    );
    expect(await trustIn(FINNISH)).toMatchObject({ language: 'fi' });
  });

  it('keep their order and scores: 500 other questions, another tenant’s texts, new caches, every store, a restart', async () => {
    const before = await answersOf(dataset);
    const other = await createTestMember(db.unitOfWork, 'editor');
    const foreign = await library.addDataset(other, 'all_team_members', CALIBRATED);
    await library.addDocument(other, foreign, { texts: chunks });
    const retrieval = createRetrieval(db.unitOfWork, stores[0]!.store, models);
    for (let n = 0; n < OTHER_QUESTIONS; n += 1)
      await retrieval.retrieve(owner.ctx, { query: texts.question(100 + n), dataset_ids: [dataset], top_k: 3 });
    for (const one of stores) {
      await one.close();
      await one.open();
      expect(await answersOf(dataset, one.store)).toEqual(before);
    }
  });

  it('do not depend on the order of uploads', async () => {
    const [one, another] = [
      await library.addDataset(owner, 'all_team_members', CALIBRATED),
      await library.addDataset(owner, 'all_team_members', CALIBRATED),
    ];
    for (const text of chunks) await library.addDocument(owner, one, { texts: [text] });
    for (const text of chunks.toReversed()) await library.addDocument(owner, another, { texts: [text] });
    expect(await answersOf(another)).toEqual(await answersOf(one));
  });
});

/** A store that writes to each of several. */
function toAll(stores: readonly TestStore[]): VectorStore {
  return new Proxy({} as VectorStore, {
    get:
      (_target, name: 'write' | 'ensureIndex') =>
      async (...call: Parameters<VectorStore['write']>) => {
        for (const { store } of stores) await (store[name] as VectorStore['write'])(...call);
      },
  });
}
