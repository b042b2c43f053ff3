import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { InstalledModels } from '#libs/ai';
import { newId, type DatasetId } from '#libs/common';
import { VectorStore } from '#libs/vector-store';
import { OpenAiDouble } from '../../../../libs/ai/src/testing/doubles/openai-double.js';
import { ReembeddingsService, Reembedding } from '../../indexing/index.js';
import { systemContext } from '../../documents/index.js';
import { DEFAULT_POLICY } from '../../ingestion-policy/index.js';
import { PolicyChanges } from '../../ingestion-policy/testing/policy-services.js';
import { createRetrieval } from '../../retrieval/testing/retrieval-services.js';
import { IngestionLab } from '../testing/ingestion-lab.js';
import { WriteStage } from './write.stage.js';
import { uninterruptedTask } from '../testing/uninterrupted-task.js';

const KEY = 'a-key-of-forty-eight-characters-for-the-double-1';
const TEXTS = [
  'The pump must be serviced every 500 hours.',
  'The valve opens at nine bar and closes at six.',
  'The boiler is heated by gas and makes steam for the pump.',
];
const OTHERS = ['A pump that leaks is replaced at once.', 'The filter of the pump is cleaned each month.'];

type Retrieval = ReturnType<typeof createRetrieval>;
type SearchReply = Awaited<ReturnType<Retrieval['retrieve']>>;

const warningsOf = ({ report }: SearchReply): string[] => report.warnings.map(({ code }) => code);
const ranking = ({ results }: SearchReply): unknown =>
  results.map(({ chunkId, score, scores, ranks }) => ({ chunkId, score, scores, ranks }));

describe('datasets with different embedding models', () => {
  const double = new OpenAiDouble();
  let folder: string;
  let lab: IngestionLab;
  let retrieval: Retrieval;
  let own: DatasetId;
  let other: DatasetId;

  beforeAll(async () => {
    await double.start();
    folder = await mkdtemp(join(tmpdir(), 'kb-models-per-dataset-'));
    const entry = { id: 'other', port: 'embedding', provider: 'openai', model: 'folded', api_key_env: 'DOUBLE_KEY' };
    const models = [{ ...entry, base_url: double.baseUrl, dimensions: 64 }];
    await writeFile(join(folder, 'models.json'), JSON.stringify({ models }));
    lab = await IngestionLab.open({ settings: { MODELS_FILE: join(folder, 'models.json'), DOUBLE_KEY: KEY } });
    const installed = lab.get(InstalledModels);
    const [, ...further] = installed.embedders.all;
    retrieval = createRetrieval(lab.db.unitOfWork, lab.get(VectorStore), {
      embedder: installed.embedders.own,
      reranker: installed.rerankers.own,
      chatModel: installed.chatModels.own,
      further,
    });
  });
  afterAll(async () => {
    await lab.close();
    await double.stop();
    await rm(folder, { recursive: true, force: true });
  });
  beforeEach(async () => {
    [own, other] = [await lab.addDataset(), await lab.addDataset()];
    await want(other, 'other');
    await shelve(own, TEXTS);
    await shelve(other, OTHERS);
  });

  const want = (dataset: DatasetId, model: string): Promise<unknown> =>
    lab.get(PolicyChanges).replace(lab.owner.ctx, dataset, { ...DEFAULT_POLICY, embedding: { model } }, {});
  const shelve = async (dataset: DatasetId, texts: readonly string[]): Promise<void> => {
    await lab.upload(
      dataset,
      texts.map((content) => ({ name: `${newId()}.txt`, content })),
    );
    await lab.work();
  };
  const search = (datasets: readonly DatasetId[], options: object = {}): Promise<SearchReply> =>
    retrieval.retrieve(lab.owner.ctx, { query: 'service of the pump', dataset_ids: [...datasets], ...options });
  const reembed = async (dataset: DatasetId): Promise<void> => {
    const { reembedding_id: id } = await lab.get(ReembeddingsService).start(lab.owner.ctx, dataset);
    await lab.get(Reembedding).run(systemContext(lab.owner.tenantId, newId()), dataset, id, uninterruptedTask());
  };
  const spaceOf = async (dataset: DatasetId): Promise<string> => {
    const [row] = await lab.query<{ s: string }>(`SELECT embedding_space AS s FROM datasets WHERE id = $1`, [dataset]);
    return row!.s;
  };
  const vectorsBySpace = async (dataset: DatasetId): Promise<Record<string, number>> => {
    const rows = await lab.query<{ space: string; n: number }>(
      `SELECT v.space, count(*)::int AS n FROM chunk_vectors v JOIN chunks c ON c.id = v.chunk_id
       JOIN documents d ON d.visible_chunk_set_id = c.chunk_set_id WHERE d.dataset_id = $1 GROUP BY v.space`,
      [dataset],
    );
    return Object.fromEntries(rows.map(({ space, n }) => [space, n]));
  };

  it('are searched together: the question is embedded once for each model, and all are ranked by vectors', async () => {
    // The first search of a model's space measures the model.
    await search([own, other], {});
    for (const method of ['hybrid', 'vector'] as const) {
      const asked = double.requests.length;
      const reply = await search([own, other], { search_method: method });
      expect(double.requests.length - asked).toBe(1);
      expect(warningsOf(reply)).toEqual([]);
      const pumps = reply.results.filter(({ text }) => text.includes('pump'));
      expect(pumps).toHaveLength(4);
      for (const { scores, ranks, score } of pumps) {
        expect(scores.vector).toBeTypeOf('number');
        expect(ranks.vector).toBeGreaterThan(0);
        expect(score).toBeLessThanOrEqual(1);
      }
      const firsts = reply.results.filter(({ ranks }) => ranks.vector === 1);
      expect(new Set(firsts.map(({ datasetId }) => datasetId))).toEqual(new Set([own, other]));
    }
  });

  it('give the same order each time, regardless of the order of the datasets, and each top_k is a prefix of the next', async () => {
    for (const options of [
      {},
      { search_method: 'vector' },
      { fusion: { method: 'weighted' } },
      { mmr: { lambda: 0.5 } },
    ]) {
      const all = await search([own, other], { ...options, top_k: 5 });
      expect(ranking(await search([other, own], { ...options, top_k: 5 }))).toEqual(ranking(all));
      for (let k = 1; k < 5; k += 1) {
        const few = await search([own, other], { ...options, top_k: k });
        expect(few.results.map(({ chunkId }) => chunkId)).toEqual(
          all.results.slice(0, k).map(({ chunkId }) => chunkId),
        );
      }
    }
  });

  it('fail together when one model fails, or are searched by words with a warning', async () => {
    double.always({ kind: 'status', status: 401 });
    await expect(search([own, other])).rejects.toThrow();
    const reply = await search([own, other], { on_embedding_failure: 'keyword' });
    expect(warningsOf(reply)).toContain('EMBEDDING_FAILED');
    expect(reply.results.length).toBeGreaterThan(0);
    expect((await search([own])).results.length).toBeGreaterThan(0);
    double.always(undefined);
  });

  it('keep their model, also for new documents, when the policy names another one, until they are re-embedded', async () => {
    const before = await spaceOf(own);
    await want(own, 'other');
    await shelve(own, ['A new pump came in May.']);
    expect(await spaceOf(own)).toBe(before);
    expect(await vectorsBySpace(own)).toEqual({ [before]: 4 });
    await reembed(own);
    expect(await spaceOf(own)).toBe(await spaceOf(other));
    expect((await vectorsBySpace(own))[await spaceOf(own)]).toBe(4);
  });

  it('warn about chunks that fit the former model before a re-embedding', async () => {
    const fitted = { ...DEFAULT_POLICY, chunking: { ...DEFAULT_POLICY.chunking, fit_model: true } };
    const put = (embedding: object): Promise<{ readonly warnings: readonly object[] }> =>
      lab.get(PolicyChanges).replace(lab.owner.ctx, own, { ...fitted, embedding }, {});
    expect((await put({})).warnings).toEqual([]);
    const due = [{ pointer: '/chunking/fit_model', code: 'CHUNKS_FIT_ANOTHER_MODEL' }];
    expect((await put({ model: 'other' })).warnings).toMatchObject(due);
    const service = lab.get(ReembeddingsService);
    const started = await service.start(lab.owner.ctx, own);
    expect(started.warnings).toMatchObject(due);
    const { items } = await service.list(lab.owner.ctx, own, 0, 1);
    expect(items).toEqual([started]);
    expect((await service.rollBack(lab.owner.ctx, own, started.reembedding_id)).warnings).toEqual([]);
  });

  it('are searched completely, each in one space at any moment, while one of them is re-embedded', async () => {
    const byVector = { search_method: 'vector', top_k: 5 };
    const before = ranking(await search([own, other], byVector));
    await want(own, 'other');
    let isDone = false;
    const seen: SearchReply[] = [];
    const moving = reembed(own).finally(() => (isDone = true));
    while (!isDone) seen.push(await search([own, other], byVector));
    await moving;
    const after = ranking(await search([own, other], byVector));
    expect(after).not.toEqual(before);
    expect(seen.length).toBeGreaterThan(0);
    for (const reply of seen) {
      expect(warningsOf(reply)).toEqual([]);
      expect([before, after]).toContainEqual(ranking(reply));
    }
  });

  it('never show a document with vectors of a model that they have just left', async () => {
    await want(own, 'other');
    const stage = lab.get(WriteStage);
    const write = stage.run.bind(stage);
    let moved = 0;
    stage.run = async (...call) => {
      const stored = await write(...call);
      if ((moved += 1) === 1) await reembed(own);
      return stored;
    };
    await shelve(own, ['A pump that came while the dataset moved.']);
    stage.run = write;
    await lab.work();
    expect(moved).toBeGreaterThan(1);
    const late = (await search([own])).results.find(({ text }) => text.includes('while the dataset moved'));
    expect(late?.scores.vector).toBeTypeOf('number');
    expect((await vectorsBySpace(own))[await spaceOf(own)]).toBe(4);
  });

  it('use the model of their policy at once while they have no documents', async () => {
    const empty = await lab.addDataset();
    await want(empty, 'other');
    expect(await spaceOf(empty)).toBe(await spaceOf(other));
    await expect(want(empty, 'nobody')).rejects.toMatchObject({ code: 'ingestion_policy.invalid' });
  });
});
