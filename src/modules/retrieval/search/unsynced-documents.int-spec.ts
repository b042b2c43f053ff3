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
import type { Filter } from '#libs/vector-store';
import type { SearchMethod } from '../request/search-options.dto.js';
import type { RetrievalService } from './retrieval.service.js';
import { MemoryVectorStore } from '../testing/memory-vector-store.js';
import { RetrievalLibrary } from '../testing/retrieval-library.js';
import { createRetrieval, type RetrievalModels } from '../testing/retrieval-services.js';

/** Nothing brings the store up to date here: whatever is found is found in spite of it. */
describe.each([
  ['with postings', undefined],
  ['without postings', 0],
])('a search with a filter, while the vector store does not know the latest metadata, %s', (_name, postingsBytes) => {
  let db: TestDatabase;
  let models: RetrievalModels;
  let library: RetrievalLibrary;
  let retrieval: RetrievalService;
  let owner: TestMember;
  let dataset: DatasetId;

  beforeAll(async () => {
    db = await createTestDatabase();
    models = await createModels(BUILTIN_MODELS);
  });
  afterAll(async () => db.close());
  beforeEach(async () => {
    const store = new MemoryVectorStore();
    library = new RetrievalLibrary(db.unitOfWork, store, models.embedder);
    retrieval = createRetrieval(db.unitOfWork, store, models, postingsBytes);
    owner = await createTestMember(db.unitOfWork, 'editor');
    dataset = await library.addDataset(owner);
  });

  const add = (state: string): Promise<DocumentId> =>
    library.addDocument(owner, dataset, {
      texts: ['The pump is serviced yearly.'],
      metadata: { state },
      tags: [state],
    });
  const patch = (id: DocumentId, assignments: string): Promise<void> =>
    library.change(owner, id, `${assignments}, metadata_seq = metadata_seq + 1`);
  const found = async (filters: Filter, search_method: SearchMethod = 'hybrid'): Promise<Set<string>> => {
    const request = { query: 'pump serviced', dataset_ids: [dataset], filters, search_method };
    return new Set((await retrieval.retrieve(owner.ctx, request)).results.map(({ documentId }) => documentId));
  };
  const state = (value: string): Filter => ({ type: 'eq', key: 'metadata.state', value });

  it('finds the new value at once, and not the old one', async () => {
    const [changed, same] = [await add('old'), await add('old')];
    await patch(changed, `metadata = '{"state":"new"}', tags = '{new}'`);
    expect(await found(state('new'))).toEqual(new Set([changed]));
    expect(await found(state('old'))).toEqual(new Set([same]));
    expect(await found({ type: 'contains', key: 'tags', value: 'new' })).toEqual(new Set([changed]));
    expect(await found({ type: 'not', filters: [state('new')] })).toEqual(new Set([same]));
    expect(await found({ type: 'exists', key: 'metadata.state', value: true })).toEqual(new Set([changed, same]));
  });

  it('finds a new name at once', async () => {
    const id = await add('old');
    await patch(id, `name = 'renamed.txt'`);
    expect(await found({ type: 'eq', key: 'document_name', value: 'renamed.txt' })).toEqual(new Set([id]));
    expect(await found({ type: 'eq', key: 'document_name', value: 'note.txt' })).toEqual(new Set());
  });

  it('finds what changed among more documents than candidates are asked for', async () => {
    const ids: DocumentId[] = [];
    for (let n = 0; n < 30; n += 1) ids.push(await add('old'));
    const changed = ids.slice(10, 13);
    for (const id of changed) await patch(id, `metadata = '{"state":"new"}'`);
    const request = { query: 'pump', dataset_ids: [dataset], filters: state('new'), candidate_k: 3, top_k: 3 };
    const { results } = await retrieval.retrieve(owner.ctx, request);
    expect(new Set(results.map(({ documentId }) => documentId))).toEqual(new Set(changed));
  });

  it('trusts the store again when its metadata are up to date', async () => {
    const id = await add('old');
    await patch(id, `metadata = '{"state":"new"}'`);
    await library.change(owner, id, 'stored_metadata_seq = metadata_seq');
    // Where everything is in memory, the facts are those of the database.
    const expected = postingsBytes === 0 ? [] : [id];
    expect(await found(state('new'), 'vector')).toEqual(new Set(expected));
  });
});
