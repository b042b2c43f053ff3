import { afterAll, beforeAll, expect, it } from 'vitest';
import { FATES, plantDocuments, type PlantedDocuments } from '../../retrieval/testing/planted-documents.js';
import { DocumentTextReader } from './document-text-reader.repository.js';

let planted: PlantedDocuments;
let reader: DocumentTextReader;

beforeAll(async () => {
  planted = await plantDocuments();
  const { unitOfWork } = planted.db;
  reader = new DocumentTextReader(unitOfWork);
  await unitOfWork.run(planted.reader.ctx, (manager) =>
    manager.query(`UPDATE document_segments SET blocks = '[{"type": "paragraph", "start": 0, "end": 5, "page": 7}]'`),
  );
});
afterAll(() => planted.db.close());

it('reads stretches of shown texts with their pages, of the newest revision, but not of deleted or quarantined documents', async () => {
  const [texts, pages]: [Record<string, string>, Record<string, number>] = [{}, {}];
  const { ctx } = planted.reader;
  for (const fate of FATES) {
    const text = await reader.readRange(ctx, planted.documents[fate], 0, 5);
    const page = await reader.findPage(ctx, planted.documents[fate], 2);
    if (text !== undefined) texts[fate] = text;
    if (page !== null) pages[fate] = page;
  }
  // The caller must check who may see the dataset.
  expect(texts).toEqual({ kept: 'About', superseded: 'Somet', foreign: 'About' });
  expect(pages).toEqual({ kept: 7, superseded: 7, foreign: 7 });
});
