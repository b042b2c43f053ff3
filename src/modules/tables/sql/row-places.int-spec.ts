import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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
});
