import { afterAll, beforeAll, expect, it } from 'vitest';
import { plantDocuments, type PlantedDocuments } from '../testing/planted-documents.js';
import { LanguageSampleRepository } from './language-sample.repository.js';

const LENGTHS = { least: 1, most: 1_000 };

let planted: PlantedDocuments;
beforeAll(async () => {
  planted = await plantDocuments();
});
afterAll(() => planted.db.close());

it('takes texts that documents of the datasets show now, and no others', async () => {
  const { reader, dataset } = planted;
  const sample = new LanguageSampleRepository(planted.db.unitOfWork);
  const texts = await sample.sample(reader.ctx, [dataset], null, LENGTHS, 100);
  expect(texts.toSorted()).toEqual(['About kept.', 'Something else.']);
  expect(await sample.sample(reader.ctx, [dataset], 'de', LENGTHS, 100)).toEqual([]);
});
