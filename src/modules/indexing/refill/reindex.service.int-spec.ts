import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newId, type DatasetId, type DocumentId } from '#libs/common';
import { Embedder, InstalledModels } from '#libs/ai';
import { indexRef, VectorStore, type IndexRef } from '#libs/vector-store';
import { DatasetSpaces } from '../../documents/index.js';
import { Reindex, type ReindexReport } from './reindex.service.js';
import { StoreFiller } from './store-filler.service.js';
import { IngestionLab } from '../../ingestion/testing/ingestion-lab.js';

const DOCUMENTS = 30;
const LONG = 'The pump of the hall is serviced in spring, and its valve is oiled. '.repeat(20_000);

describe('reindex', () => {
  let lab: IngestionLab;
  let store: VectorStore;
  let writes: number;
  let beforeWrite: () => Promise<void>;

  const indexOf = (dataset: DatasetId): IndexRef =>
    indexRef(lab.owner.ctx, dataset, lab.get(Embedder).descriptor.space);
  const shelve = async (texts: readonly string[]): Promise<{ dataset: DatasetId; ids: DocumentId[] }> => {
    const dataset = await lab.addDataset();
    const ids = await lab.upload(
      dataset,
      texts.map((content, n) => ({ name: `note-${n}.txt`, content })),
    );
    await lab.work();
    return { dataset, ids };
  };
  /** A vector store that counts writes. */
  const counting = (): VectorStore =>
    new Proxy(store, {
      get: (target, name) => {
        const value = Reflect.get(target, name, target) as unknown;
        if (typeof value !== 'function') return value;
        const method = (value as (...call: unknown[]) => unknown).bind(target);
        if (name !== 'write') return method;
        return async (...call: unknown[]) => {
          writes += 1;
          await beforeWrite();
          return method(...call);
        };
      },
    });
  const reindex = async (afterPage = async (): Promise<void> => undefined): Promise<ReindexReport> => {
    const report = { datasets: 0, documents: 0, written: 0, removed: 0 };
    const run = new Reindex(lab.get(StoreFiller), lab.get(DatasetSpaces), counting(), lab.get(InstalledModels));
    for await (const _ of run.run(lab.owner.ctx, report)) await afterPage();
    return report;
  };
  const rowsOf = async (dataset: DatasetId): Promise<string[]> => {
    const rows: string[] = [];
    for await (const { documentId, generation, chunkId } of store.listIds(indexOf(dataset), { all: true })) {
      rows.push(`${documentId}:${generation}:${chunkId}`);
    }
    return rows.toSorted();
  };

  beforeAll(async () => {
    lab = await IngestionLab.open();
    store = lab.get(VectorStore);
  });
  beforeEach(() => {
    writes = 0;
    beforeWrite = async () => undefined;
  });
  afterEach(async () => {
    await lab.query(`UPDATE datasets SET deleted_at = now() WHERE deleted_at IS NULL`, []);
  });
  afterAll(() => lab.close());

  it('writes the rows of many small documents together, and those of a large one in parts', async () => {
    const { dataset } = await shelve([...Array.from({ length: DOCUMENTS }, (_, n) => `The valve ${n} opens.`), LONG]);
    const before = await rowsOf(dataset);
    expect(before.length).toBeGreaterThan(DOCUMENTS + 10);
    await store.dropIndex(indexOf(dataset));
    expect(await reindex()).toMatchObject({
      datasets: 1,
      documents: DOCUMENTS + 1,
      written: before.length,
      removed: 0,
    });
    expect(writes).toBe(Math.ceil((before.length - DOCUMENTS) / 256) + 1);
    expect(await rowsOf(dataset)).toEqual(before);
  });

  it('records no update of metadata that has not changed', async () => {
    const { dataset } = await shelve(['The lamp is on.', 'The lamp is off.']);
    await store.dropIndex(indexOf(dataset));
    await reindex();
    expect(await lab.system(`SELECT 1 FROM store_intents WHERE kind = 'update_metadata'`)).toEqual([]);
  });

  it('continues after an interruption, and removes rows that are not shown', async () => {
    const { dataset, ids } = await shelve(Array.from({ length: DOCUMENTS }, (_, n) => `The gear ${n} turns.`));
    const before = await rowsOf(dataset);
    await store.remove(indexOf(dataset), { documentIds: ids.slice(10) });
    const [kept] = before;
    await expect(
      reindex(async () => {
        throw new Error('killed');
      }),
    ).rejects.toThrow('killed');
    expect(await rowsOf(dataset)).toEqual(before);
    expect(await reindex()).toMatchObject({ written: 0, removed: 0 });
    expect(writes).toBe(1);
    await lab.query(`UPDATE documents SET deleted_at = now() WHERE id = $1`, [kept!.split(':')[0]]);
    expect(await reindex()).toMatchObject({ written: 0, removed: 1 });
    expect(await rowsOf(dataset)).toEqual(before.slice(1));
  });

  it('removes rows that were replaced while they were written', async () => {
    const { dataset, ids } = await shelve(['The motor hums.', 'The motor stands.']);
    await store.dropIndex(indexOf(dataset));
    beforeWrite = async () => {
      await lab.query(`UPDATE documents SET visible_generation = visible_generation + 1000000 WHERE id = $1`, [ids[0]]);
    };
    await reindex();
    const intents = await lab.system(
      `SELECT payload ->> 'documentId' AS id FROM store_intents WHERE kind = 'remove_generation'`,
    );
    expect(intents).toEqual([{ id: ids[0] }]);
  });

  it('also fills the indexes of earlier models, from the existing vectors', async () => {
    const { dataset } = await shelve(['The mirror is clean.']);
    const former = `former-${newId()}`;
    await lab.query(`INSERT INTO dataset_spaces (tenant_id, dataset_id, space, searched) VALUES ($1, $2, $3, true)`, [
      lab.owner.tenantId,
      dataset,
      former,
    ]);
    await lab.query(
      `INSERT INTO chunk_vectors (tenant_id, chunk_id, space, vector)
       SELECT v.tenant_id, v.chunk_id, $2, v.vector FROM chunk_vectors v JOIN chunks c ON c.id = v.chunk_id
         JOIN documents d ON d.id = c.document_id WHERE d.dataset_id = $1`,
      [dataset, former],
    );
    expect(await reindex()).toMatchObject({ written: 1 });
    const rows: string[] = [];
    for await (const { chunkId } of store.listIds(indexRef(lab.owner.ctx, dataset, former), { all: true }))
      rows.push(chunkId);
    expect(rows).toHaveLength(1);
  });
});
