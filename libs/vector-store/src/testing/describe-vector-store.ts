import { afterAll, beforeAll, describe } from 'vitest';
import type { StoredChunkId, VectorStore } from '../vector-store.port.js';
import { newIndex, SPEC, words } from './chunk-builder.js';
import type { Suite } from './conformance-suite.js';
import { describeIndexes, describeRemoving, describeWriting } from './describe-rows.js';
import { describeFilters, describeKeywords, describeVectors } from './describe-search.js';

/**
 * What every `VectorStore` must do. `open` is called once; the store is closed at the end. Tests use tenants and datasets of
 * their own, so the store may hold other data.
 */
export function describeVectorStore(name: string, open: () => Promise<VectorStore>): void {
  describe(`${name} as a VectorStore`, () => {
    let store: VectorStore;
    beforeAll(async () => {
      store = await open();
    });
    afterAll(async () => {
      await store.close();
    });
    const suite: Suite = {
      store: () => store,
      async filled(...chunks) {
        const index = newIndex();
        await store.ensureIndex(index, SPEC);
        await store.write(index, chunks);
        return index;
      },
      async ids(index, selection = { all: true }) {
        const ids: StoredChunkId[] = [];
        for await (const id of store.listIds(index, selection)) ids.push(id);
        return ids;
      },
      async found(index, ...terms) {
        const hits = await store.searchKeyword([index], { terms: words(...terms), limit: 50 });
        return hits.map((hit) => hit.chunkId);
      },
    };
    describeIndexes(suite);
    describeWriting(suite);
    describeRemoving(suite);
    describeKeywords(suite);
    describeVectors(suite);
    describeFilters(suite);
  });
}
