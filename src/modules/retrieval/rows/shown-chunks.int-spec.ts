import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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

  it('come with the numbers of all datasets that were asked, where the first of them is shown', async () => {
    const { reader, datasets, chunks } = planted;
    const { rows: none, ...unread } = await rows.findShown(reader.ctx, [chunks.deleted, chunks.kept], datasets, 'none');
    expect([none.length, unread.contentSeqs]).toEqual([1, null]);
    const { contentSeqs } = await rows.findShown(reader.ctx, [chunks.kept, chunks.deleted], datasets, 'none');
    expect(contentSeqs).toEqual(await rows.readContentSeqs(reader.ctx, datasets));
    expect(Object.keys(contentSeqs!).sort()).toEqual([...datasets].sort());
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
