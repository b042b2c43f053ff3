import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createModels } from '#libs/ai';
import type { DatasetId, DocumentId } from '#libs/common';
import { rowsOf } from '#libs/database';
import { createTestDatabase, createTestMember, type TestDatabase, type TestMember } from '#libs/testing';
import { MemoryVectorStore } from '../../retrieval/testing/memory-vector-store.js';
import { RetrievalLibrary } from '../../retrieval/testing/retrieval-library.js';
import { ShownContentRepository } from './shown-content.repository.js';

/** The condition as modules would have to write it without the views. */
const SHOWN = `d.visible_chunk_set_id IS NOT NULL AND d.visible_generation IS NOT NULL AND d.deleted_at IS NULL AND d.quarantined_at IS NULL`;

let db: TestDatabase;
let library: RetrievalLibrary;
let owner: TestMember;
let shown: ShownContentRepository;
let dataset: DatasetId;
let document: DocumentId;

beforeAll(async () => {
  db = await createTestDatabase();
  const { embedder } = await createModels({ embedding: 'builtin', rerank: 'builtin', chat: 'builtin' });
  library = new RetrievalLibrary(db.unitOfWork, new MemoryVectorStore(), embedder);
  shown = new ShownContentRepository(db.unitOfWork);
  owner = await createTestMember(db.unitOfWork, 'owner');
});
afterAll(() => db.close());
beforeEach(async () => {
  dataset = await library.addDataset(owner);
  document = await library.addDocument(owner, dataset, { texts: ['one', 'two', 'three'] });
});

const query = <Row extends object>(of: TestMember, sql: string, parameters: readonly unknown[] = []): Promise<Row[]> =>
  library.run(of, (manager) => rowsOf<Row>(manager, sql, [...parameters]));
const viewed = async (of: TestMember): Promise<{ documents: string[]; chunks: string[] }> => ({
  documents: (await query<{ id: string }>(of, `SELECT id FROM shown_documents WHERE dataset_id = $1`, [dataset])).map(
    ({ id }) => id,
  ),
  chunks: (
    await query<{ body: string }>(of, `SELECT body FROM shown_chunks WHERE dataset_id = $1 ORDER BY ordinal`, [dataset])
  ).map(({ body }) => body),
});
const bodiesOf = (rows: readonly { readonly body: string }[]): string[] => rows.map(({ body }) => body);

describe('the shown content of documents', () => {
  it('is that of their latest completed generation', async () => {
    expect(await viewed(owner)).toEqual({ documents: [document], chunks: ['one', 'two', 'three'] });
    const former = (await shown.pageChunks(owner.ctx, [document], -1, 9)).map(({ id }) => id);
    await library.showTexts(owner, document, ['four']);
    expect(await viewed(owner)).toEqual({ documents: [document], chunks: ['four'] });
    expect(await shown.chunksByIds(owner.ctx, former)).toEqual([]);
    expect(await shown.count(owner.ctx, [dataset])).toEqual({ documents: 1, chunks: 1 });
  });

  it.each(['quarantined_at = now()', 'deleted_at = now()', 'visible_generation = NULL', 'visible_chunk_set_id = NULL'])(
    'is empty with %s',
    async (change) => {
      const ids = (await shown.pageChunks(owner.ctx, [document], -1, 9)).map(({ id }) => id);
      expect(ids).toHaveLength(3);
      await library.change(owner, document, change);
      expect(await viewed(owner)).toEqual({ documents: [], chunks: [] });
      expect(await shown.chunksByIds(owner.ctx, ids)).toEqual([]);
      expect(await shown.pageChunks(owner.ctx, [document], -1, 9)).toEqual([]);
      expect(await shown.count(owner.ctx, [dataset])).toEqual({ documents: 0, chunks: 0 });
      const [changed] = await shown.findChanges(owner.ctx, dataset, 0n);
      expect(changed).toMatchObject({ visible: 0, document_id: document, chunk_set_id: null });
    },
  );

  it('is read in pages, in order', async () => {
    expect(bodiesOf(await shown.pageChunks(owner.ctx, [document], -1, 2))).toEqual(['one', 'two']);
    expect(bodiesOf(await shown.pageChunks(owner.ctx, [document], 1, 2))).toEqual(['three']);
  });

  it('remains available for derived data while a document is in quarantine, but not once it is deleted', async () => {
    const kept = (await shown.findKept(owner.ctx, document))!;
    const holds = (generation: string): Promise<boolean> =>
      db.unitOfWork.run(owner.ctx, (_manager, inner) => shown.holdKept(inner, document, generation));
    await library.change(owner, document, 'quarantined_at = now()');
    expect(await shown.findKept(owner.ctx, document)).toEqual(kept);
    expect([await holds(kept.generation), await holds('0')]).toEqual([true, false]);
    await library.change(owner, document, 'deleted_at = now()');
    expect(await shown.findKept(owner.ctx, document)).toBeUndefined();
    expect(await holds(kept.generation)).toBe(false);
  });
});

describe('the views', () => {
  it('show each tenant its own rows, by the rights of the role that reads them', async () => {
    const stranger = await createTestMember(db.unitOfWork, 'owner');
    expect(await viewed(stranger)).toEqual({ documents: [], chunks: [] });
    expect(await query(stranger, `SELECT id FROM shown_documents`)).toEqual([]);
    expect(await shown.count(stranger.ctx, [dataset])).toEqual({ documents: 0, chunks: 0 });
  });

  it.each([`UPDATE shown_documents SET name = 'x'`, `DELETE FROM shown_documents`])(
    'are read-only: %s',
    async (sql) => {
      await expect(query(owner, sql)).rejects.toThrow('permission denied');
    },
  );

  it.each([
    [
      'a dataset',
      `FROM shown_documents d WHERE d.dataset_id = $1`,
      `FROM documents d WHERE d.dataset_id = $1 AND ${SHOWN}`,
    ],
    [
      'rows of a vector store that lag behind',
      `FROM shown_documents d WHERE d.dataset_id = $1 AND d.metadata_seq <> d.stored_metadata_seq`,
      `FROM documents d WHERE d.dataset_id = $1 AND d.metadata_seq <> d.stored_metadata_seq AND ${SHOWN}`,
    ],
    [
      'chunks of a dataset',
      `FROM shown_documents d JOIN chunks c ON c.chunk_set_id = d.chunk_set_id WHERE d.dataset_id = $1`,
      `FROM documents d JOIN chunks c ON c.chunk_set_id = d.visible_chunk_set_id WHERE d.dataset_id = $1 AND ${SHOWN}`,
    ],
  ])('are planned like the tables: %s', async (_what, viewing, spelled) => {
    const planOf = async (from: string): Promise<string[]> => {
      const sql = `EXPLAIN (COSTS OFF) SELECT count(*) ${from.replace('$1', `'${dataset}'`)}`;
      const rows = await query<{ 'QUERY PLAN': string }>(owner, sql);
      return rows.map((row) => row['QUERY PLAN'].trim()).filter((line) => !/Filter|Cond/.test(line));
    };
    expect(await planOf(viewing)).toEqual(await planOf(spelled));
  });
});
