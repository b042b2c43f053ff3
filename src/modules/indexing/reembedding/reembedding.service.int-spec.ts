import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { aiErrors, InstalledModels } from '#libs/ai';
import type { DatasetId } from '#libs/common';
import { AuditLog } from '#libs/database';
import { createTestMember } from '#libs/testing';
import { indexRef, VectorStore } from '#libs/vector-store';
import { inTurns, runningTask } from '../../../../libs/tasks/src/testing/tasks-over.js';
import { DatasetDeletionsRepository } from '../../datasets/index.js';
import { DatasetDeletionRun, DatasetSpaces, DocumentTransitions } from '../../documents/index.js';
import { ReembeddingsRepository } from '../spaces/reembeddings.repository.js';
import { FormerVectors } from './former-vectors.service.js';
import { Reembedding } from './reembedding.service.js';
import { ReembeddingRun } from './reembedding-run.task.js';
import { SampledChunks } from './sampled-chunks.repository.js';
import { ShadowParity } from './shadow-parity.service.js';
import { ShadowWriter } from './shadow-writer.service.js';
import { ReembeddingLab, type SearchReply } from '../../ingestion/testing/reembedding-lab.js';

const TEXTS = [
  'The pump must be serviced every 500 hours.',
  'The valve opens at nine bar and closes at six.',
  'The boiler is heated by gas and makes steam.',
];
const FOLDED = { dimensions: 128 };

const textsOf = ({ results }: SearchReply): string[] => results.map(({ text }) => text);
const cosinesOf = ({ results }: SearchReply): (number | null)[] => results.map(({ scores }) => scores.vector);
const warningsOf = ({ report }: SearchReply): string[] => report.warnings.map(({ code }) => code);

describe('re-embedding a dataset', () => {
  let lab: ReembeddingLab;
  let dataset: DatasetId;

  beforeAll(async () => {
    lab = await ReembeddingLab.open();
  });
  afterAll(async () => lab.lab.close());
  beforeEach(async () => {
    lab.embedder.use('builtin');
    lab.embedder.onBatch = () => undefined;
    dataset = await lab.lab.addDataset();
  });

  it('searches a dataset of another model by keywords until it is completed, and never mixes vectors of both models', async () => {
    await lab.shelve(dataset, TEXTS);
    lab.embedder.use(FOLDED);
    await lab.shelve(dataset, ['The compressor is new. So is its pump.']);
    const before = await lab.search(dataset, 'pump');
    expect(textsOf(before)).toHaveLength(2);
    expect(cosinesOf(before)).toEqual([null, null]);
    expect(warningsOf(before)).toContain('STALE_EMBEDDING');
    expect((await lab.search(dataset, 'pump', { search_method: 'vector' })).results).toEqual([]);
    await lab.reembed(dataset);
    const after = await lab.search(dataset, 'pump');
    expect(cosinesOf(after)).not.toContain(null);
    expect(warningsOf(after)).toEqual([]);
    expect(textsOf(after).slice(0, 2).toSorted()).toEqual(textsOf(before).toSorted());
  });

  it('gives the same results as a new ingestion with the new model, without parsing anything again', async () => {
    const ids = await lab.shelve(dataset, TEXTS);
    const timelines = await Promise.all(ids.map((id) => lab.lab.timeline(id)));
    lab.embedder.use(FOLDED);
    const fresh = await lab.lab.addDataset();
    await lab.shelve(fresh, TEXTS);
    const counted = lab.embedder.embedded;
    const id = await lab.reembed(dataset);
    expect(lab.embedder.embedded - counted).toBe(TEXTS.length);
    expect(await Promise.all(ids.map((one) => lab.lab.timeline(one)))).toEqual(timelines);
    const rowsOf = (reply: SearchReply): unknown =>
      reply.results.map(({ text, score, scores }) => [text, score, scores.vector]);
    for (const method of ['hybrid', 'vector']) {
      const options = { search_method: method };
      expect(rowsOf(await lab.search(dataset, 'steam of the boiler', options))).toEqual(
        rowsOf(await lab.search(fresh, 'steam of the boiler', options)),
      );
    }
    expect(await lab.service.read(lab.ctx, dataset, id)).toMatchObject({
      status: 'completed',
      documents: 3,
      documents_done: 3,
      chunks_embedded: 3,
      to: { provider: 'builtin', model: 'folded-128', dimensions: 128 },
      parity: { sampled: 3, found_by_vector: 1, found_by_keyword: 1, neighbours_shared: 1 },
      error: null,
      switched_at: expect.stringMatching(/Z$/),
    });
    expect(await lab.rowsIn(dataset, 'folded-128')).toEqual(await lab.shown(dataset));
  });

  it('continues where it was after the model failed; meanwhile searches work as before', async () => {
    await lab.shelve(
      dataset,
      Array.from({ length: 70 }, (_, n) => `${TEXTS[n % 3]} Number ${n} of the shelf.`),
    );
    lab.embedder.use(FOLDED);
    const { reembedding_id: id } = await lab.service.start(lab.ctx, dataset);
    let batches = 0;
    lab.embedder.onBatch = () => {
      batches += 1;
      if (batches === 2) throw aiErrors.batch_too_large({ given: 1, max: 0 });
    };
    const counted = lab.embedder.embedded;
    await expect(lab.work(dataset, id)).rejects.toMatchObject({ code: 'ai.batch_too_large' });
    expect(await lab.service.read(lab.ctx, dataset, id)).toMatchObject({
      status: 'running',
      chunks_embedded: 32,
      error: expect.stringContaining('sent to the model') as string,
      switched_at: null,
    });
    expect(warningsOf(await lab.search(dataset, 'pump'))).toContain('STALE_EMBEDDING');
    lab.embedder.onBatch = () => undefined;
    await lab.work(dataset, id);
    expect(lab.embedder.embedded - counted).toBe(70);
    expect(await lab.service.read(lab.ctx, dataset, id)).toMatchObject({
      status: 'completed',
      chunks_embedded: 70,
      error: null,
    });
    expect(await lab.rowsIn(dataset, 'folded-128')).toEqual(await lab.shown(dataset));
  });

  it('lets other tenants run after each call of the model, and embeds nothing twice', async () => {
    await lab.shelve(dataset, TEXTS);
    lab.embedder.use(FOLDED);
    const { reembedding_id: reembeddingId } = await lab.service.start(lab.ctx, dataset);
    const counted = lab.embedder.embedded;
    const run = new ReembeddingRun(lab.lab.get(Reembedding));
    const { turns } = await inTurns(run, runningTask(lab.ctx, { datasetId: dataset, reembeddingId }));
    expect(turns).toBeGreaterThan(1);
    expect(lab.embedder.embedded - counted).toBe(TEXTS.length);
    expect(await lab.service.read(lab.ctx, dataset, reembeddingId)).toMatchObject({ status: 'completed', error: null });
  });

  it('has one result when two workers run it at once', async () => {
    await lab.shelve(dataset, TEXTS);
    lab.embedder.use(FOLDED);
    const { reembedding_id: id } = await lab.service.start(lab.ctx, dataset);
    await Promise.all([lab.work(dataset, id), lab.work(dataset, id)]);
    const audit = await lab.lab.query(`SELECT 1 FROM audit_log WHERE event = 'dataset.reembedded' AND subject = $1`, [
      `dataset:${dataset}`,
    ]);
    expect(audit).toHaveLength(1);
    expect(await lab.rowsIn(dataset, 'folded-128')).toEqual(await lab.shown(dataset));
  });

  it('includes documents that are uploaded, reingested, changed and deleted while it runs', async () => {
    const [kept, gone, again] = await lab.shelve(dataset, TEXTS);
    lab.embedder.use(FOLDED);
    const { reembedding_id: id } = await lab.service.start(lab.ctx, dataset);
    let isFirst = true;
    lab.embedder.onBatch = async () => {
      if (!isFirst) return;
      isFirst = false;
      await lab.lab.get(DocumentTransitions).delete(lab.ctx, [gone!]);
      await lab.lab.reingest([again!]);
      await lab.shelve(dataset, ['The turbine came in the middle.']);
      await lab.lab.query(
        `UPDATE documents SET metadata = '{"place":"hall"}', metadata_seq = metadata_seq + 1 WHERE id = $1 RETURNING id`,
        [kept],
      );
    };
    await lab.work(dataset, id);
    await lab.lab.clean(dataset);
    expect(await lab.service.read(lab.ctx, dataset, id)).toMatchObject({ status: 'completed', documents: 3 });
    expect(await lab.rowsIn(dataset, 'folded-128')).toEqual(await lab.shown(dataset));
    const former = await lab.rowsIn(dataset, 'builtin-hashing-v1-384');
    expect(former.filter((row) => row.startsWith(gone!))).toEqual([]);
    expect(former.filter((row) => row.startsWith(kept!))).toHaveLength(1);
    expect(textsOf(await lab.search(dataset, 'turbine'))[0]).toContain('turbine');
    const [row] = await lab.lab.query<{ stored: string }>(
      `SELECT stored_metadata_seq AS stored FROM documents WHERE id = $1`,
      [kept],
    );
    expect(row!.stored).toBe('-1');
  });

  it('returns the running one to a repeated request, and cancels one to a model that was removed', async () => {
    await lab.shelve(dataset, TEXTS);
    lab.embedder.use(FOLDED);
    const first = await lab.service.start(lab.ctx, dataset);
    expect(await lab.service.start(lab.ctx, dataset)).toEqual(first);
    lab.embedder.use({ dimensions: 96 });
    await expect(lab.work(dataset, first.reembedding_id)).rejects.toThrow(/same settings/);
    const second = await lab.service.start(lab.ctx, dataset);
    expect(second.reembedding_id).not.toBe(first.reembedding_id);
    await lab.work(dataset, first.reembedding_id);
    await lab.work(dataset, second.reembedding_id);
    const { items, total } = await lab.service.list(lab.ctx, dataset, 0, 10);
    expect([total, items.map(({ status }) => status)]).toEqual([2, ['completed', 'failed']]);
    expect(await lab.spaceOf(dataset)).toBe('folded-96');
  });

  it('is rolled back in one step, and the former vectors are used as soon as their model is back', async () => {
    await lab.shelve(dataset, TEXTS);
    const before = cosinesOf(await lab.search(dataset, 'pump'));
    lab.embedder.use(FOLDED);
    const id = await lab.reembed(dataset);
    expect(await lab.service.rollBack(lab.ctx, dataset, id)).toMatchObject({ status: 'rolled_back' });
    expect(await lab.service.rollBack(lab.ctx, dataset, id)).toMatchObject({ status: 'rolled_back' });
    expect(warningsOf(await lab.search(dataset, 'pump'))).toContain('STALE_EMBEDDING');
    expect(textsOf(await lab.search(dataset, 'pump'))[0]).toBe(TEXTS[0]);
    lab.embedder.use('builtin');
    const counted = lab.embedder.embedded;
    expect(cosinesOf(await lab.search(dataset, 'pump'))).toEqual(before);
    expect(lab.embedder.embedded).toBe(counted);
  });

  it('can return to the former model by a re-embedding that embeds only documents added since', async () => {
    await lab.shelve(dataset, TEXTS);
    lab.embedder.use(FOLDED);
    const id = await lab.reembed(dataset);
    await lab.shelve(dataset, ['The compressor came later.']);
    lab.embedder.use('builtin');
    await expect(lab.service.rollBack(lab.ctx, dataset, id)).rejects.toMatchObject({
      code: 'documents.reembedding_final',
    });
    expect(textsOf(await lab.search(dataset, 'compressor'))).toHaveLength(1);
    const counted = lab.embedder.embedded;
    await lab.reembed(dataset);
    expect(lab.embedder.embedded - counted).toBe(1);
    expect(await lab.rowsIn(dataset, 'builtin-hashing-v1-384')).toEqual(await lab.shown(dataset));
    expect(cosinesOf(await lab.search(dataset, 'compressor'))).not.toContain(null);
  });

  it('does not switch when searches in the new index miss too much', async () => {
    await lab.shelve(dataset, TEXTS);
    lab.embedder.use(FOLDED);
    const store = lab.lab.get(VectorStore);
    const forgetful = new Proxy(store, {
      get: (target, name) => {
        const value = Reflect.get(target, name, target) as unknown;
        if (name === 'searchVector') return async () => [];
        return typeof value === 'function' ? (value as (...call: unknown[]) => unknown).bind(target) : value;
      },
    });
    const { unitOfWork } = lab.lab.db;
    const worker = new Reembedding(
      unitOfWork,
      lab.lab.get(ReembeddingsRepository),
      lab.lab.get(ShadowWriter),
      new ShadowParity(new SampledChunks(unitOfWork), forgetful, lab.lab.get(DatasetSpaces)),
      store,
      lab.lab.get(InstalledModels),
      new AuditLog(unitOfWork),
    );
    const { reembedding_id: id } = await lab.service.start(lab.ctx, dataset);
    await lab.work(dataset, id, worker);
    expect(await lab.service.read(lab.ctx, dataset, id)).toMatchObject({
      status: 'failed',
      switched_at: null,
      parity: { sampled: 3, found_by_vector: 0, found_by_keyword: 1 },
      error: expect.stringContaining('see parity') as string,
    });
    expect(await lab.spaceOf(dataset)).toBe('builtin-hashing-v1-384');
    await lab.reembed(dataset);
    expect(await lab.spaceOf(dataset)).toBe('folded-128');
  });

  it('can be cancelled while it runs, and then does not switch', async () => {
    await lab.shelve(dataset, TEXTS);
    lab.embedder.use(FOLDED);
    const { reembedding_id: id } = await lab.service.start(lab.ctx, dataset);
    lab.embedder.onBatch = async () => {
      await lab.service.rollBack(lab.ctx, dataset, id);
    };
    await lab.work(dataset, id);
    expect(await lab.service.read(lab.ctx, dataset, id)).toMatchObject({ status: 'rolled_back', switched_at: null });
    expect(await lab.spaceOf(dataset)).toBe('builtin-hashing-v1-384');
  });

  it('makes only missing vectors in a dataset that already has the model', async () => {
    await lab.shelve(dataset, TEXTS);
    await lab.lab.get(VectorStore).remove(indexRef(lab.ctx, dataset, 'builtin-hashing-v1-384'), { all: true });
    const counted = lab.embedder.embedded;
    const id = await lab.reembed(dataset);
    expect(lab.embedder.embedded).toBe(counted);
    expect(await lab.service.read(lab.ctx, dataset, id)).toMatchObject({ status: 'completed', switched_at: null });
    expect(await lab.rowsIn(dataset, 'builtin-hashing-v1-384')).toEqual(await lab.shown(dataset));
    expect(await lab.service.rollBack(lab.ctx, dataset, id)).toMatchObject({ status: 'rolled_back' });
    expect(await lab.spaceOf(dataset)).toBe('builtin-hashing-v1-384');
  });

  it('keeps the former vectors for a while, and cannot be rolled back once they are removed', async () => {
    await lab.shelve(dataset, TEXTS);
    lab.embedder.use(FOLDED);
    const id = await lab.reembed(dataset);
    const former = lab.lab.get(FormerVectors);
    await former.dropOutlived(lab.ctx);
    expect(await lab.rowsIn(dataset, 'builtin-hashing-v1-384')).toHaveLength(3);
    await lab.lab.query(
      `UPDATE reembeddings SET switched_at = now() - interval '8 days' WHERE dataset_id = $1 RETURNING id`,
      [dataset],
    );
    await former.dropOutlived(lab.ctx);
    expect(await lab.rowsIn(dataset, 'builtin-hashing-v1-384')).toEqual([]);
    const left = await lab.lab.query<{ space: string }>(
      `SELECT DISTINCT v.space FROM chunk_vectors v JOIN chunks c ON c.id = v.chunk_id JOIN documents d ON d.id = c.document_id WHERE d.dataset_id = $1`,
      [dataset],
    );
    expect(left).toEqual([{ space: 'folded-128' }]);
    await expect(lab.service.rollBack(lab.ctx, dataset, id)).rejects.toMatchObject({
      code: 'documents.reembedding_final',
    });
    expect(cosinesOf(await lab.search(dataset, 'pump'))).not.toContain(null);
  });

  it('leaves no index behind when its dataset is deleted', async () => {
    await lab.shelve(dataset, TEXTS);
    lab.embedder.use(FOLDED);
    await lab.reembed(dataset);
    lab.embedder.use({ dimensions: 64 });
    await lab.shelve(dataset, ['By a third model.']);
    expect(textsOf(await lab.search(dataset, 'third model'))[0]).toBe('By a third model.');
    const spaces = ['builtin-hashing-v1-384', 'folded-128', 'folded-64'];
    const counts = await Promise.all(spaces.map(async (space) => (await lab.rowsIn(dataset, space)).length));
    expect(counts).toEqual([3, 3, 1]);
    await lab.lab.query(`UPDATE documents SET deleted_at = now() WHERE dataset_id = $1 RETURNING id`, [dataset]);
    await lab.lab.query(`UPDATE datasets SET deleted_at = now() WHERE id = $1 RETURNING id`, [dataset]);
    const nothing = { documents: 0, chunks: 0, blobs: 0 };
    const { id: deletionId } = await lab.lab.db.unitOfWork.run(lab.ctx, (_manager, inner) =>
      lab.lab.get(DatasetDeletionsRepository).addReceipt(inner, 'delete', dataset, nothing),
    );
    // It lets other tenants run after each batch, and reports the sum of all turns.
    const task = runningTask(lab.ctx, { datasetId: dataset, deletionId });
    expect(await inTurns(lab.lab.get(DatasetDeletionRun), task)).toEqual({ turns: 2, result: { removed: 4 } });
    for (const space of spaces) expect(await lab.rowsIn(dataset, space)).toEqual([]);
  });

  it('is visible only to callers who see the dataset, and only under its own dataset', async () => {
    const { reembedding_id: id } = await lab.service.start(lab.ctx, dataset);
    const stranger = await createTestMember(lab.lab.db.unitOfWork, 'owner');
    const hidden = { code: 'datasets.not_found' };
    await expect(lab.service.start(stranger.ctx, dataset)).rejects.toMatchObject(hidden);
    await expect(lab.service.read(stranger.ctx, dataset, id)).rejects.toMatchObject(hidden);
    await expect(lab.service.list(stranger.ctx, dataset, 0, 1)).rejects.toMatchObject(hidden);
    await expect(lab.service.rollBack(stranger.ctx, dataset, id)).rejects.toMatchObject(hidden);
    const other = await lab.lab.addDataset();
    const absent = { code: 'documents.reembedding_not_found' };
    await expect(lab.service.read(lab.ctx, other, id)).rejects.toMatchObject(absent);
    await expect(lab.service.rollBack(lab.ctx, other, id)).rejects.toMatchObject(absent);
    await expect(lab.service.read(lab.ctx, dataset, 'no-id')).rejects.toMatchObject(absent);
  });
});
