import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { buildChunk, newIndex, SPEC, words } from '../testing/chunk-builder.js';
import type { VectorStore } from '../vector-store.port.js';
import { SwitchingVectorStore } from './switching-vector-store.js';
import { PLACEMENT_LIVES_MS, type StorePlacement, type VectorStoreKind } from './vector-stores.js';

/** A store that notes what is asked of it and finds nothing. */
function notingStore(kind: string, calls: string[], failing: ReadonlySet<string>): VectorStore {
  const capabilities = { kind, keyword: true, vector: true, maxBatchRows: 10, exactVectorsBelow: 0 };
  return new Proxy({} as VectorStore, {
    get: (_target, name) => {
      if (name === 'then') return undefined;
      if (name === 'capabilities') return capabilities;
      return () => {
        calls.push(`${kind}.${String(name)}`);
        return failing.has(kind) ? Promise.reject(new Error(`${kind} is down`)) : Promise.resolve([]);
      };
    },
  });
}

describe('SwitchingVectorStore', () => {
  const calls: string[] = [];
  const failing = new Set<string>();
  const closed = new Set<VectorStoreKind>();
  let placement: StorePlacement | undefined;
  let store: SwitchingVectorStore;

  beforeEach(async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    placement = undefined;
    for (const list of [failing, closed]) list.clear();
    const open = (kind: VectorStoreKind): Promise<VectorStore> =>
      closed.has(kind) ? Promise.reject(new Error('no address')) : Promise.resolve(notingStore(kind, calls, failing));
    store = await SwitchingVectorStore.start(['embedded', 'opensearch'], 'embedded', open, () =>
      Promise.resolve(placement),
    );
    calls.length = 0;
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  const change = (next: StorePlacement): void => {
    placement = next;
    vi.advanceTimersByTime(PLACEMENT_LIVES_MS);
  };
  const search = (): Promise<unknown> => store.searchKeyword([newIndex()], { terms: words('a'), limit: 1 });

  it('uses the store of the settings while the installation has never moved', async () => {
    await store.write(newIndex(), [buildChunk()]);
    await search();
    expect(calls).toEqual(['embedded.write', 'embedded.searchKeyword']);
    expect(store.capabilities.kind).toBe('embedded');
  });

  it('writes into the shadow first and then into the store that answers, and asks that alone', async () => {
    change({ active: 'embedded', shadow: 'opensearch' });
    await store.ensureIndex(newIndex(), SPEC);
    await store.write(newIndex(), [buildChunk()]);
    await search();
    const both = (name: string): string[] => [`opensearch.${name}`, `embedded.${name}`];
    expect(calls).toEqual([...both('ensureIndex'), ...both('write'), 'embedded.searchKeyword']);
  });

  it('fails a write that the shadow did not take, before the other store shows it', async () => {
    change({ active: 'embedded', shadow: 'opensearch' });
    failing.add('opensearch');
    await expect(store.write(newIndex(), [buildChunk()])).rejects.toThrow('opensearch is down');
    expect(calls).toEqual(['opensearch.write']);
    await expect(search()).resolves.toEqual([]);
  });

  it('asks the other store within a second after the exchange', async () => {
    change({ active: 'embedded', shadow: 'opensearch' });
    await search();
    change({ active: 'opensearch', shadow: 'embedded' });
    await search();
    expect(calls).toEqual(['embedded.searchKeyword', 'opensearch.searchKeyword']);
    expect(store.capabilities.kind).toBe('opensearch');
  });

  it('has writes tried again where the shadow cannot be opened, and opens it when it can be', async () => {
    closed.add('opensearch');
    change({ active: 'embedded', shadow: 'opensearch' });
    await expect(store.write(newIndex(), [buildChunk()])).rejects.toMatchObject({
      code: 'vector_store.unavailable',
      status: 503,
    });
    expect(calls).toEqual([]);
    closed.clear();
    await store.write(newIndex(), [buildChunk()]);
    expect(calls).toEqual(['opensearch.write', 'embedded.write']);
  });
});
