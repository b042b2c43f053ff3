import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { declaredStatements } from '#libs/database';
import { DatasetAccess } from '../../datasets/index.js';
import { fatesOf, plantDocuments, type PlantedDocuments } from '../testing/planted-documents.js';
import { RetrievalRepository } from './retrieval.repository.js';

describe('chunks that a search has chosen', () => {
  let planted: PlantedDocuments;
  let rows: RetrievalRepository;

  beforeAll(async () => {
    planted = await plantDocuments();
    const { unitOfWork } = planted.db;
    rows = new RetrievalRepository(unitOfWork, new DatasetAccess(unitOfWork));
  });
  afterAll(() => planted.db.close());

  it.each(['none', 'neighbours', 'parent'] as const)(
    'are read again as what documents show now that the caller sees, with %s around them',
    async (expand) => {
      const { reader, datasets, chunks } = planted;
      const { rows: found } = await rows.findShown(reader.ctx, Object.values(chunks), datasets, expand);
      expect(
        fatesOf(
          found.map(({ id }) => id),
          chunks,
        ),
      ).toEqual(['kept']);
    },
  );

  it('are looked up by the ids of their documents, also where a table has just been filled', async () => {
    const { db, reader, documents } = planted;
    const statements = declaredStatements().filter(({ columns }) => 'content_seqs' in columns && 'body' in columns);
    expect(statements).toHaveLength(9);
    const others = `INSERT INTO documents SELECT (jsonb_populate_record(d, jsonb_build_object('id', gen_random_uuid()))).*
      FROM documents d, generate_series(1, 1000) WHERE d.id = $1`;
    const work = db.unitOfWork.run(reader.ctx, async (manager) => {
      await manager.query(others, [documents.kept]);
      for (const { sql } of statements) {
        const [plan] = await manager.query<object[]>(`EXPLAIN (GENERIC_PLAN, FORMAT JSON) ${sql}`);
        // The other one counts the documents that wait.
        expect(scansOf(plan, 'documents')).toEqual([expect.stringMatching(/^documents_/), 'documents_pkey']);
      }
      throw new Error('enough');
    });
    await expect(work).rejects.toThrow('enough');
  });

  it('come with the numbers of all datasets that were asked, where the first of them is shown', async () => {
    const { reader, datasets, chunks } = planted;
    const { rows: none, ...unread } = await rows.findShown(reader.ctx, [chunks.deleted, chunks.kept], datasets, 'none');
    expect([none.length, unread.datasets]).toEqual([1, null]);
    const { datasets: read } = await rows.findShown(reader.ctx, [chunks.kept, chunks.deleted], datasets, 'none');
    expect(read).toEqual(await rows.readDatasets(reader.ctx, datasets));
    expect(Object.keys(read!.contentSeqs).sort()).toEqual([...datasets].sort());
  });

  it('are filtered by what their vector store does not know yet, of documents that are shown', async () => {
    const { db, reader, datasets, documents } = planted;
    await db.unitOfWork.run(reader.ctx, (manager) => manager.query(`UPDATE documents SET stored_metadata_seq = -1`));
    const found = await rows.listUnsynced(reader.ctx, datasets);
    expect(
      fatesOf(
        found.map(({ id }) => id),
        documents,
      ),
    ).toEqual(['kept', 'superseded', 'foreign']);
  });
});

/** The indexes by which a plan reads a table; null for a scan of the whole. */
function scansOf(plan: unknown, table: string): unknown[] {
  if (typeof plan !== 'object' || plan === null) return [];
  const node = plan as Readonly<Record<string, unknown>>;
  const own = node['Relation Name'] === table ? [node['Index Name'] ?? null] : [];
  return [...own, ...Object.values(node).flatMap((inner) => scansOf(inner, table))];
}
