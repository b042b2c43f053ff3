import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DatasetAccess } from '../../datasets/index.js';
import { fatesOf, plantDocuments, type PlantedDocuments } from '../../retrieval/testing/planted-documents.js';
import { ShownSourcesRepository } from './shown-sources.repository.js';

describe('sources of kept answers', () => {
  let planted: PlantedDocuments;
  let sources: ShownSourcesRepository;

  beforeAll(async () => {
    planted = await plantDocuments();
    const { unitOfWork } = planted.db;
    sources = new ShownSourcesRepository(unitOfWork, new DatasetAccess(unitOfWork));
  });
  afterAll(() => planted.db.close());

  it('are documents that are neither deleted nor in quarantine, in a dataset that the caller sees', async () => {
    const { reader, documents } = planted;
    const found = await sources.findDocuments(reader.ctx, Object.values(documents));
    expect(fatesOf(found.keys(), documents)).toEqual(['kept', 'superseded']);
  });

  it('are chunks that such documents show now', async () => {
    const { reader, chunks } = planted;
    const found = await sources.findChunks(reader.ctx, Object.values(chunks));
    // The caller has asked for the documents first.
    expect(fatesOf(found, chunks)).toEqual(['kept', 'foreign']);
  });
});
