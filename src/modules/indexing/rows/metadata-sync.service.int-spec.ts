import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { PinoLogger } from 'nestjs-pino';
import { createModels } from '#libs/ai';
import type { DatasetId, DocumentId } from '#libs/common';
import { rowsOf } from '#libs/database';
import {
  BUILTIN_MODELS,
  createTestDatabase,
  createTestMember,
  type TestDatabase,
  type TestMember,
} from '#libs/testing';
import { storeQueryTerms, analyzeQuery } from '#libs/ranking';
import { indexRef, type ChunkMetadata, type IndexRef } from '#libs/vector-store';
import { until } from '#testing/until';
import { MemoryVectorStore } from '../../retrieval/testing/memory-vector-store.js';
import { RetrievalLibrary } from '../../retrieval/testing/retrieval-library.js';
import type { RetrievalModels } from '../../retrieval/testing/retrieval-services.js';
import { AttemptTraces, StoreIntents } from '../../documents/index.js';
import { MetadataSync } from './metadata-sync.service.js';
import { OutdatedDocuments } from './outdated-documents.repository.js';
import { tasksOver } from '../../../../libs/tasks/src/testing/tasks-over.js';

const silent = { warn: () => undefined } as unknown as PinoLogger;

/** A store that can be made to wait, or to fail for one document. */
class GatedStore extends MemoryVectorStore {
  gate: Promise<void> = Promise.resolve();
  /** Updates that wait at the gate. */
  arrived = 0;
  broken: DocumentId | undefined;

  override async updateMetadata(index: IndexRef, documentId: DocumentId, metadata: ChunkMetadata): Promise<void> {
    this.arrived += 1;
    await this.gate;
    if (documentId === this.broken) throw new Error('refused');
    await super.updateMetadata(index, documentId, metadata);
  }
}

describe('the synchronisation of metadata', () => {
  let db: TestDatabase;
  let models: RetrievalModels;
  let store: GatedStore;
  let library: RetrievalLibrary;
  let intents: StoreIntents;
  let sync: MetadataSync;
  let owner: TestMember;
  let dataset: DatasetId;

  beforeAll(async () => {
    db = await createTestDatabase();
    models = await createModels(BUILTIN_MODELS);
  });
  afterAll(async () => db.close());
  beforeEach(async () => {
    store = new GatedStore();
    library = new RetrievalLibrary(db.unitOfWork, store, models.embedder);
    intents = new StoreIntents(db.unitOfWork, tasksOver(db.unitOfWork));
    sync = new MetadataSync(
      db.unitOfWork,
      new OutdatedDocuments(db.unitOfWork),
      new AttemptTraces(db.unitOfWork),
      intents,
      store,
      models.embedder,
      silent,
    );
    owner = await createTestMember(db.unitOfWork, 'editor');
    dataset = await library.addDataset(owner);
    await db.unitOfWork.runAsSystem((manager) => manager.query(`DELETE FROM store_intents`));
  });

  const add = (state: string): Promise<DocumentId> =>
    library.addDocument(owner, dataset, { texts: ['The pump is serviced.'], metadata: { state } });
  const patch = async (id: DocumentId, state: string): Promise<void> => {
    await library.change(owner, id, `metadata = '{"state":"${state}"}', metadata_seq = metadata_seq + 1`);
    await db.unitOfWork.run(owner.ctx, (_manager, ctx) =>
      intents.add(ctx, 'update_metadata', id, { documentId: id, datasetId: dataset }),
    );
  };
  const carryOut = async (): Promise<void> =>
    sync.carryOut(owner.ctx, await intents.listDue(owner.ctx, 'update_metadata', 100));
  const open = (): Promise<{ subject: string; is_due: boolean }[]> =>
    db.unitOfWork.runAsSystem((manager) =>
      rowsOf(manager, `SELECT subject, due_at <= now() AS is_due FROM store_intents ORDER BY subject`),
    );
  const makeAllDue = (): Promise<unknown> =>
    db.unitOfWork.runAsSystem((manager) => manager.query(`UPDATE store_intents SET due_at = now()`));
  const stateOf = async (id: DocumentId): Promise<{ metadata_seq: string; stored_metadata_seq: string }> =>
    library
      .run(owner, (manager) =>
        rowsOf<{ metadata_seq: string; stored_metadata_seq: string }>(
          manager,
          `SELECT metadata_seq, stored_metadata_seq FROM documents WHERE id = $1`,
          [id],
        ),
      )
      .then(([row]) => row!);
  /** Documents that the store itself finds by a metadata value. */
  const storedAs = async (state: string): Promise<Set<string>> => {
    const index = indexRef(owner.ctx, dataset, models.embedder.descriptor.space);
    const terms = storeQueryTerms(analyzeQuery('pump serviced'));
    const filter = { type: 'eq', key: 'metadata.state', value: state } as const;
    const rows = await store.searchKeyword([index], { terms, limit: 100, filter });
    return new Set(rows.map(({ documentId }) => documentId));
  };

  it('writes the present metadata to the store, and records that', async () => {
    const ids = [await add('old'), await add('old')];
    for (const id of ids) await patch(id, 'new');
    expect(await storedAs('new')).toEqual(new Set());
    await carryOut();
    expect(await storedAs('new')).toEqual(new Set(ids));
    expect(await stateOf(ids[0]!)).toEqual({ metadata_seq: '1', stored_metadata_seq: '1' });
    expect(await open()).toEqual([]);
  });

  it('is postponed while an attempt on the document is running', async () => {
    const id = await add('old');
    await patch(id, 'new');
    await library.change(owner, id, `status = 'processing'`);
    await carryOut();
    expect(await storedAs('new')).toEqual(new Set());
    expect(await open()).toEqual([{ subject: id, is_due: false }]);
    await library.change(owner, id, `status = 'completed'`);
    await makeAllDue();
    await carryOut();
    expect(await storedAs('new')).toEqual(new Set([id]));
    expect(await open()).toEqual([]);
  });

  it('does nothing for documents that are no longer shown or are already up to date', async () => {
    const [hidden, deleted, known] = [await add('old'), await add('old'), await add('old')];
    for (const id of [hidden, deleted, known]) await patch(id, 'new');
    await library.change(owner, hidden, 'visible_generation = NULL, visible_chunk_set_id = NULL');
    await library.change(owner, deleted, 'deleted_at = now()');
    await library.change(owner, known, 'stored_metadata_seq = metadata_seq');
    await carryOut();
    expect(await storedAs('new')).toEqual(new Set());
    expect(await open()).toEqual([]);
  });

  it.each([
    ['another generation is shown', `visible_generation = visible_generation + 100`],
    ['an attempt begins', `status = 'processing', stored_metadata_seq = -1`],
    ['an attempt begins and fails', `status = 'failed', stored_metadata_seq = -1`],
  ])('does not record success when %s meanwhile', async (_what, change) => {
    const id = await add('old');
    await patch(id, 'new');
    let release!: () => void;
    store.gate = new Promise((resolve) => (release = resolve));
    const before = store.arrived;
    const running = carryOut();
    await until(() => store.arrived > before);
    await library.change(owner, id, change);
    release();
    await running;
    const { metadata_seq: seq, stored_metadata_seq: stored } = await stateOf(id);
    expect(stored).not.toBe(seq);
    expect(await open()).toEqual([{ subject: id, is_due: false }]);
  });

  it('leaves a change made meanwhile to the intent of that change', async () => {
    const id = await add('old');
    await patch(id, 'new');
    let release!: () => void;
    store.gate = new Promise((resolve) => (release = resolve));
    const before = store.arrived;
    const running = carryOut();
    await until(() => store.arrived > before);
    await patch(id, 'newer');
    release();
    await running;
    expect(await stateOf(id)).toEqual({ metadata_seq: '2', stored_metadata_seq: '1' });
    expect(await open()).toEqual([{ subject: id, is_due: true }]);
    await carryOut();
    expect(await storedAs('newer')).toEqual(new Set([id]));
    expect(await stateOf(id)).toEqual({ metadata_seq: '2', stored_metadata_seq: '2' });
  });

  it('is not blocked by a document that the store refuses', async () => {
    const [bad, good] = [await add('old'), await add('old')];
    await patch(bad, 'new');
    await patch(good, 'new');
    store.broken = bad;
    await carryOut();
    expect(await storedAs('new')).toEqual(new Set([good]));
    expect(await open()).toEqual([{ subject: bad, is_due: false }]);
  });

  it('is recorded when the store may have other metadata', async () => {
    const id = await add('old');
    await sync.followUp(owner.ctx, id);
    expect(await open()).toEqual([]);
    await sync.distrust(owner.ctx, id);
    expect(await stateOf(id)).toEqual({ metadata_seq: '0', stored_metadata_seq: '-1' });
    expect(await open()).toEqual([{ subject: id, is_due: true }]);
    await carryOut();
    expect(await stateOf(id)).toEqual({ metadata_seq: '0', stored_metadata_seq: '0' });
  });
});
