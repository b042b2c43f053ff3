import { expect, it } from 'vitest';
import { newId, type ChunkId, type DatasetId, type DocumentId } from '#libs/common';
import { indexRef } from '../index-ref.js';
import type { ChunkSelection, IndexedChunk } from '../vector-store.port.js';
import { buildChunk, newContext, newIndex, SPACE, SPEC, words } from './chunk-builder.js';
import { idOf, sorted, type Suite } from './conformance-suite.js';

/** Making, dropping and telling apart indexes. */
export function describeIndexes({ store, filled, ids, found }: Suite): void {
  it('answers a ping', async () => {
    await expect(store().ping()).resolves.toBeUndefined();
  });

  it('makes an index once and takes it again as it is', async () => {
    const chunk = buildChunk();
    const index = await filled(chunk);
    await store().ensureIndex(index, SPEC);
    expect(await store().count(index)).toBe(1);
  });

  it.each([
    ['dimensions', { ...SPEC, dimensions: 8 }],
    ['text analysis', { ...SPEC, analysisVersion: 'test-2' }],
  ])('refuses an index of other %s', async (_what, other) => {
    const index = await filled();
    await expect(store().ensureIndex(index, other)).rejects.toMatchObject({ code: 'vector_store.schema_mismatch' });
  });

  it('takes a missing index for an empty one, except when writing', async () => {
    const index = newIndex();
    expect(await store().count(index)).toBe(0);
    expect(await ids(index)).toEqual([]);
    expect(await found(index, 'alpha')).toEqual([]);
    expect(await store().searchVector([index], { vector: Float32Array.of(1, 0, 0, 0), limit: 5 })).toEqual([]);
    await store().remove(index, { all: true });
    await store().dropIndex(index);
    await expect(store().write(index, [buildChunk()])).rejects.toMatchObject({ code: 'vector_store.index_missing' });
  });

  it('finds nothing in an index without rows', async () => {
    const index = await filled();
    expect(await found(index, 'alpha')).toEqual([]);
    expect(await store().searchVector([index], { vector: Float32Array.of(1, 0, 0, 0), limit: 5 })).toEqual([]);
    expect(await ids(index)).toEqual([]);
  });

  it('drops the index of one dataset and touches no other dataset, space or tenant', async () => {
    const ctx = newContext();
    const datasetId = newId<DatasetId>();
    const dropped = indexRef(ctx, datasetId, SPACE);
    const others = [indexRef(ctx, datasetId, 'other-4'), newIndex(ctx), indexRef(newContext(), datasetId, SPACE)];
    for (const index of [dropped, ...others]) {
      await store().ensureIndex(index, SPEC);
      await store().write(index, [buildChunk()]);
    }
    await store().dropIndex(dropped);
    await store().dropIndex(dropped);
    expect(await found(dropped, 'alpha')).toEqual([]);
    for (const index of others) expect(await found(index, 'alpha')).toHaveLength(1);
  });

  it('makes a dropped index again, without what it held and with another specification', async () => {
    const index = await filled(buildChunk(), buildChunk());
    expect(await found(index, 'alpha')).toHaveLength(2);
    await store().dropIndex(index);
    await store().ensureIndex(index, { ...SPEC, dimensions: 2 });
    const chunk = buildChunk({ vector: Float32Array.of(0, 1) });
    await store().write(index, [chunk]);
    expect(await found(index, 'alpha')).toEqual([chunk.chunkId]);
    const hits = await store().searchVector([index], { vector: Float32Array.of(0, 1), limit: 5 });
    expect(hits.map(idOf)).toEqual([idOf(chunk)]);
  });

  it('shows no row of one tenant to the same dataset id in another tenant', async () => {
    const datasetId = newId<DatasetId>();
    const mine = indexRef(newContext(), datasetId, SPACE);
    const foreign = indexRef(newContext(), datasetId, SPACE);
    await store().ensureIndex(mine, SPEC);
    await store().write(mine, [buildChunk()]);
    expect(await found(foreign, 'alpha')).toEqual([]);
    expect(await ids(foreign)).toEqual([]);
    await store().remove(foreign, { all: true });
    expect(await store().count(mine)).toBe(1);
  });
}

/** Writing and overwriting. */
export function describeWriting({ store, filled, ids, found }: Suite): void {
  it('shows a write to every kind of reading as soon as it resolves', async () => {
    const chunk = buildChunk({ terms: { words: ['alpha', 'beta'], grams: ['alph'], title: ['heading'] } });
    const index = await filled(chunk);
    expect(await found(index, 'beta')).toEqual([chunk.chunkId]);
    const hits = await store().searchVector([index], { vector: chunk.vector, limit: 1 });
    expect(hits.map(idOf)).toEqual([idOf(chunk)]);
    expect(await ids(index)).toEqual([idOf(chunk)]);
  });

  it('overwrites a row of the same chunk and generation', async () => {
    const chunk = buildChunk({ terms: { words: ['before'] } });
    const index = await filled(chunk, buildChunk());
    await store().write(index, [{ ...chunk, terms: words('after'), vector: Float32Array.of(0, 1, 0, 0) }]);
    expect(await store().count(index)).toBe(2);
    expect(await found(index, 'before')).toEqual([]);
    expect(await found(index, 'after')).toEqual([chunk.chunkId]);
    const [nearest] = await store().searchVector([index], { vector: Float32Array.of(0, 1, 0, 0), limit: 1 });
    expect(nearest).toMatchObject(idOf(chunk));
  });

  it('keeps the last of two rows with the same key in one write', async () => {
    const chunk = buildChunk();
    const index = await filled({ ...chunk, terms: words('first') }, { ...chunk, terms: words('second') });
    expect(await store().count(index)).toBe(1);
    expect(await found(index, 'second')).toEqual([chunk.chunkId]);
  });

  it('keeps generations of a chunk side by side until one is removed', async () => {
    const old = buildChunk({ generation: '9223372036854775806' });
    const fresh = { ...old, generation: '9223372036854775807' };
    const index = await filled(old);
    await store().write(index, [fresh]);
    expect(sorted(await ids(index))).toEqual(sorted([old, fresh]));
    await store().remove(index, { generations: [{ documentId: old.documentId, generation: old.generation }] });
    expect(await ids(index)).toEqual([idOf(fresh)]);
    expect(await found(index, 'alpha')).toEqual([fresh.chunkId]);
  });

  it('refuses a vector of another length and writes nothing of that batch', async () => {
    const index = await filled();
    const wrong = buildChunk({ vector: Float32Array.of(1, 0) });
    await expect(store().write(index, [buildChunk(), wrong])).rejects.toMatchObject({
      code: 'vector_store.schema_mismatch',
    });
    expect(await store().count(index)).toBe(0);
  });

  it('takes a batch as large as it says, and an empty one', async () => {
    const index = await filled();
    const { maxBatchRows } = store().capabilities;
    const documentId = newId<DocumentId>();
    await store().write(
      index,
      Array.from({ length: maxBatchRows }, (_, ordinal) => buildChunk({ documentId, ordinal })),
    );
    await store().write(index, []);
    expect(await store().count(index)).toBe(maxBatchRows);
  });

  it('keeps every row of writers that write, overwrite and remove at the same time', async () => {
    const index = await filled();
    const kept = await Promise.all(
      Array.from({ length: 30 }, async (_, n) => {
        const chunk = buildChunk({ terms: { words: ['shared', `own${n}`] } });
        await store().write(index, [chunk, buildChunk({ documentId: chunk.documentId, generation: '2' })]);
        await store().write(index, [chunk]);
        await store().remove(index, { generations: [{ documentId: chunk.documentId, generation: '2' }] });
        expect(await found(index, `own${n}`)).toEqual([chunk.chunkId]);
        return chunk;
      }),
    );
    expect(sorted(await ids(index))).toEqual(sorted(kept));
  });

  it('refuses what is aborted before it begins', async () => {
    const index = await filled();
    const signal = AbortSignal.abort(new Error('the caller left'));
    await expect(store().write(index, [buildChunk()], { signal })).rejects.toThrow('the caller left');
    await expect(store().searchKeyword([index], { terms: words('alpha'), limit: 1 }, { signal })).rejects.toThrow(
      'the caller left',
    );
    expect(await store().count(index)).toBe(0);
  });
}

/** Listing and removing. */
export function describeRemoving({ store, filled, ids, found }: Suite): void {
  it.each<[string, (chunk: IndexedChunk) => ChunkSelection]>([
    ['documents', (chunk) => ({ documentIds: [chunk.documentId, newId<DocumentId>()] })],
    ['chunks', (chunk) => ({ chunkIds: [chunk.chunkId, newId<ChunkId>()] })],
    [
      'generations',
      (chunk) => ({
        generations: [
          { documentId: chunk.documentId, generation: chunk.generation },
          { documentId: chunk.documentId, generation: '77' },
        ],
      }),
    ],
  ])('lists and removes by %s just what is named', async (_what, selectionOf) => {
    const [removed, kept] = [buildChunk(), buildChunk()];
    const index = await filled(removed, kept);
    expect(await ids(index, selectionOf(removed))).toEqual([idOf(removed)]);
    await store().remove(index, selectionOf(removed));
    await store().remove(index, selectionOf(removed));
    expect(await ids(index)).toEqual([idOf(kept)]);
    expect(await found(index, 'alpha')).toEqual([kept.chunkId]);
  });

  it('removes everything and can be written to again', async () => {
    const index = await filled(buildChunk(), buildChunk());
    await store().remove(index, { all: true });
    expect(await store().count(index)).toBe(0);
    const chunk = buildChunk();
    await store().write(index, [chunk]);
    expect(await found(index, 'alpha')).toEqual([chunk.chunkId]);
  });

  it('selects nothing by an empty list', async () => {
    const index = await filled(buildChunk());
    for (const selection of [{ documentIds: [] }, { chunkIds: [] }, { generations: [] }]) {
      expect(await ids(index, selection)).toEqual([]);
      await store().remove(index, selection);
    }
    expect(await store().count(index)).toBe(1);
  });

  it('lists and removes thousands of ids', async () => {
    const chunks = Array.from({ length: 1_500 }, () => buildChunk());
    const index = await filled();
    for (let start = 0; start < chunks.length; start += 500)
      await store().write(index, chunks.slice(start, start + 500));
    const selection = { chunkIds: chunks.slice(1).map((chunk) => chunk.chunkId) };
    expect(sorted(await ids(index, selection))).toEqual(sorted(chunks.slice(1)));
    await store().remove(index, selection);
    expect(await ids(index)).toEqual([idOf(chunks[0]!)]);
  });
}
