import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DocumentId } from '#libs/common';
import { fatesOf, plantDocuments, type PlantedDocuments } from '../../retrieval/testing/planted-documents.js';
import { RowPlacesRepository } from './row-places.repository.js';

describe('places of rows', () => {
  let planted: PlantedDocuments;
  let places: RowPlacesRepository;

  beforeAll(async () => {
    planted = await plantDocuments();
    places = new RowPlacesRepository(planted.db.unitOfWork);
  });
  afterAll(() => planted.db.close());

  it('are found in documents of the dataset that are neither deleted nor in quarantine', async () => {
    const { reader, dataset, documents, chunks } = planted;
    const rows = Object.values(documents).map((documentId) => ({ documentId, start: 0, end: 5 }));
    const found = await places.findPlaces(reader.ctx, dataset, rows);
    const ids = found.map((place) => place.document_id);
    expect(fatesOf(ids, documents)).toEqual(['kept', 'superseded']);
    expect(
      fatesOf(
        found.map((place) => place.chunk_id),
        chunks,
      ),
    ).toEqual(['kept']);
  });

  it('are looked for in datasets that show a table: none that was superseded, deleted or put into quarantine', async () => {
    const { reader, dataset, datasets, documents } = planted;
    for (const fate of ['quarantined', 'deleted', 'superseded'] as const) await addTable(documents[fate], -1);
    await addTable(documents.quarantined, 0);
    await addTable(documents.deleted, 0);
    expect(await places.datasetsWithTables(reader.ctx, datasets)).toEqual([]);
    await addTable(documents.kept, 0);
    expect(await places.datasetsWithTables(reader.ctx, datasets)).toEqual([dataset]);
  });

  /** A table of the generation that the document shows, or of one `after` it (negative: before). */
  async function addTable(document: DocumentId, after: number): Promise<void> {
    await planted.db.unitOfWork.run(planted.reader.ctx, (manager) =>
      manager.query(
        `INSERT INTO document_tables (tenant_id, document_id, generation, ordinal, dataset_id, name, title, row_count, total_rows,
           combined_name, columns, profiles, samples, repaired, fidelity, object_key, size_bytes)
         SELECT tenant_id, id, visible_generation + $2, 0, dataset_id, 'prices', 'prices', 0, 0, 'prices', '[]', '[]', '[]', '[]', 'exact', '', 0
         FROM documents WHERE id = $1`,
        [document, after],
      ),
    );
  }
});
