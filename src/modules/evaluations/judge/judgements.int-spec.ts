import { afterAll, beforeAll, expect, it } from 'vitest';
import { FATES, plantDocuments, type PlantedDocuments } from '../../retrieval/testing/planted-documents.js';
import { JudgementsRepository } from './judgements.repository.js';

let planted: PlantedDocuments;
beforeAll(async () => {
  planted = await plantDocuments();
});
afterAll(() => planted.db.close());

it('keeps a judgement only while all documents that it rests on are neither deleted nor in quarantine', async () => {
  const { reader, documents } = planted;
  const judgements = new JudgementsRepository(planted.db.unitOfWork);
  const found: string[] = [];
  for (const fate of FATES) {
    const key = Buffer.from(fate);
    await judgements.keep(reader.ctx, key, 0.5, [documents.kept, ...(fate === 'kept' ? [] : [documents[fate]])]);
    if ((await judgements.find(reader.ctx, key)) !== undefined) found.push(fate);
  }
  expect(found).toEqual(['kept', 'superseded', 'foreign']);
});
