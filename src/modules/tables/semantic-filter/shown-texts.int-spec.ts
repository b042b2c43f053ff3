import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ShownContentRepository } from '../../content/index.js';
import { fatesOf, plantDocuments, type PlantedDocuments } from '../../retrieval/testing/planted-documents.js';
import { ShownTextsRepository } from './shown-texts.repository.js';

describe('texts that a semantic filter reads', () => {
  let planted: PlantedDocuments;
  let texts: ShownTextsRepository;

  beforeAll(async () => {
    planted = await plantDocuments();
    const { unitOfWork } = planted.db;
    texts = new ShownTextsRepository(unitOfWork, new ShownContentRepository(unitOfWork));
  });
  afterAll(() => planted.db.close());

  it('are of documents of the dataset that are neither deleted nor in quarantine', async () => {
    const { reader, dataset, documents } = planted;
    const listed = await texts.listDocuments(reader.ctx, dataset, null, 50);
    expect(
      fatesOf(
        listed.map(({ id }) => id),
        documents,
      ),
    ).toEqual(['kept', 'superseded']);
  });

  it('have a generation as long as they are shown', async () => {
    const { reader, documents } = planted;
    const found = await texts.generationsOf(reader.ctx, Object.values(documents));
    // The caller has asked for the dataset first.
    expect(fatesOf(found.keys(), documents)).toEqual(['kept', 'superseded', 'foreign']);
  });
});
