import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fatesOf, plantDocuments, type PlantedDocuments } from '../../retrieval/testing/planted-documents.js';
import { KgPassagesRepository } from './kg-passages.repository.js';

describe('passages that the page of a graph quotes', () => {
  let planted: PlantedDocuments;
  let passages: KgPassagesRepository;

  beforeAll(async () => {
    planted = await plantDocuments();
    passages = new KgPassagesRepository(planted.db.unitOfWork);
  });
  afterAll(() => planted.db.close());

  it('are of documents of the dataset that are neither deleted nor in quarantine', async () => {
    const { reader, dataset, documents } = planted;
    const found = await passages.listNames(reader.ctx, dataset, Object.values(documents));
    expect(fatesOf(found.keys(), documents)).toEqual(['kept', 'superseded']);
  });

  it('are what these documents show now', async () => {
    const { reader, dataset, chunks } = planted;
    const found: string[] = [];
    for await (const { id } of passages.readChunks(reader.ctx, dataset, Object.values(chunks))) found.push(id);
    expect(fatesOf(found, chunks)).toEqual(['kept']);
  });
});
