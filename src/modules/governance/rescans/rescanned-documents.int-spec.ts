import { afterAll, beforeAll, expect, it } from 'vitest';
import { fatesOf, plantDocuments, type PlantedDocuments } from '../../retrieval/testing/planted-documents.js';
import { RescannedDocumentsRepository } from './rescanned-documents.repository.js';

const FIRST = '00000000-0000-0000-0000-000000000000';

let planted: PlantedDocuments;
beforeAll(async () => {
  planted = await plantDocuments();
});
afterAll(() => planted.db.close());

it('reads and counts documents of the dataset that are neither deleted nor in quarantine', async () => {
  const { reader, dataset, documents } = planted;
  const rescanned = new RescannedDocumentsRepository(planted.db.unitOfWork);
  const found = await rescanned.listNext(reader.ctx, dataset, FIRST, 100);
  expect(
    fatesOf(
      found.map(({ id }) => id),
      documents,
    ),
  ).toEqual(['kept', 'superseded']);
  expect(await rescanned.count(reader.ctx, dataset)).toBe(2);
});
