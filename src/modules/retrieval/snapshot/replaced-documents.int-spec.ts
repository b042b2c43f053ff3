import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createModels } from '#libs/ai';
import type { DatasetId, DocumentId } from '#libs/common';
import {
  BUILTIN_MODELS,
  createTestDatabase,
  createTestMember,
  type TestDatabase,
  type TestMember,
} from '#libs/testing';
import type { RetrievalService } from '../search/retrieval.service.js';
import { MemoryVectorStore } from '../testing/memory-vector-store.js';
import { RetrievalLibrary } from '../testing/retrieval-library.js';
import { createRetrieval } from '../testing/retrieval-services.js';

describe.each([
  ['with postings', undefined],
  ['without postings', 0],
])('a document that is replaced while it is sought, %s', (_name, postingsBytes) => {
  let db: TestDatabase;
  let store: MemoryVectorStore;
  let retrieval: RetrievalService;
  let library: RetrievalLibrary;
  let member: TestMember;
  let dataset: DatasetId;
  let document: DocumentId;

  beforeAll(async () => {
    db = await createTestDatabase();
    const models = await createModels(BUILTIN_MODELS);
    store = new MemoryVectorStore();
    retrieval = createRetrieval(db.unitOfWork, store, models, postingsBytes);
    library = new RetrievalLibrary(db.unitOfWork, store, models.embedder);
  });
  afterAll(() => db.close());
  beforeEach(async () => {
    member = await createTestMember(db.unitOfWork, 'editor');
    dataset = await library.addDataset(member);
    document = await library.addDocument(member, dataset, { texts: ['The old pump leaks.', 'The old pump hums.'] });
    store.afterSearch = async () => undefined;
  });

  const search = async (): Promise<string[]> => {
    const request = { query: 'pump', dataset_ids: [dataset], search_method: 'keyword' as const };
    return (await retrieval.retrieve(member.ctx, request)).results.map(({ text }) => text).toSorted();
  };

  /** A second attempt shows other texts, once, as soon as the store has answered. */
  const replaceDuringSearch = (texts: readonly string[]): void => {
    store.afterSearch = async () => {
      store.afterSearch = async () => undefined;
      await library.run(member, (manager) =>
        manager.query(`UPDATE documents SET attempt = attempt + 1 WHERE id = $1`, [document]),
      );
      await library.showTexts(member, document, texts);
    };
  };

  it('is found with its new chunks, all of them', async () => {
    expect(await search()).toEqual(['The old pump hums.', 'The old pump leaks.']);
    replaceDuringSearch(['The new pump is quiet.', 'The new pump is dry.', 'The new pump is red.']);
    expect(await search()).toEqual(['The new pump is dry.', 'The new pump is quiet.', 'The new pump is red.']);
  });

  it('is not found when it went out of sight, while the others are', async () => {
    await library.addDocument(member, dataset, { texts: ['Another pump.'] });
    store.afterSearch = async () => library.change(member, document, `quarantined_at = now()`);
    expect(await search()).toEqual(['Another pump.']);
  });

  it('ends the search all the same when it is replaced again and again', async () => {
    let rounds = 0;
    store.afterSearch = async () => {
      rounds += 1;
      await library.run(member, (manager) =>
        manager.query(`UPDATE documents SET attempt = attempt + 1 WHERE id = $1`, [document]),
      );
      await library.showTexts(member, document, [`The pump of round ${rounds}.`]);
    };
    await search();
    expect(rounds).toBeLessThan(20);
  });
});
