import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { finish, newId, type ChunkId, type ChunkSetId, type DocumentId } from '#libs/common';
import { DatasetPostings } from '../postings/dataset-postings.js';
import type { PostedChunk } from '../postings/posting-segment.js';
import type { ShownSet } from '../rows/retrieval-rows.js';
import { cosineOf, measureVector } from '../ranking/vector-similarity.js';
import { bytesOfRows, VectorMemory } from './vector-memory.service.js';
import { VectorTable } from './vector-table.js';

const MEGABYTE = 1_048_576;
const PAGE = 65_536;
/** How far a compared cosine may be off. */
const OFF = 0.008;
const ALL = 1_000_000;

class Shelf {
  readonly vectors = new Map<ChunkId, Float32Array>();
  readonly counted = new Map<DocumentId, ShownSet>();
  private readonly chunks = new Map<DocumentId, PostedChunk[]>();

  constructor(readonly table: VectorTable) {}

  add(vectors: readonly Float32Array[]): boolean {
    const documentId = newId<DocumentId>();
    const chunkSetId = newId<ChunkSetId>();
    const chunks = vectors.map((_, ordinal) => ({
      id: newId<ChunkId>(),
      documentId,
      chunkSetId,
      ordinal,
      segment: null,
      number: ordinal,
    }));
    for (const [index, chunk] of chunks.entries()) if (!this.table.add(chunk, vectors[index]!)) return false;
    this.table.complete(documentId, chunkSetId);
    chunks.forEach(({ id }, index) => this.vectors.set(id, vectors[index]!));
    this.chunks.set(documentId, chunks);
    this.counted.set(documentId, { set: chunkSetId, generation: '1', changedAt: 1n, attempt: 1, language: null });
    return true;
  }

  removeFirst(): void {
    const [document] = this.chunks.keys();
    if (document === undefined) return;
    this.table.remove(document);
    for (const { id } of this.chunks.get(document)!) this.vectors.delete(id);
    this.chunks.delete(document);
    this.counted.delete(document);
  }

  /** Cosines by chunk, the true ones and those of the table. */
  compare(query: Float32Array, onlyAlike = false): { true: Map<string, number>; own: Map<string, number> } {
    const measured = measureVector(query);
    const compared = finish(this.table.compare(query))!.best(this.counted, ALL, onlyAlike);
    return {
      true: new Map([...this.vectors].map(([id, vector]) => [id, cosineOf(measured, measureVector(vector))])),
      own: new Map(compared.map(({ chunkId, score }) => [chunkId, score])),
    };
  }
}

const shelfOf = (dimensions: number, bytes = MEGABYTE): Shelf =>
  new Shelf(new VectorTable(new VectorMemory(bytes), dimensions));
const anyVector = (dimensions: number): fc.Arbitrary<Float32Array> =>
  fc.float32Array({ minLength: dimensions, maxLength: dimensions, min: -4, max: 4, noNaN: true });

describe('VectorTable', () => {
  it('compares as the cosine does, whatever was added and taken away, in any number of dimensions', () => {
    const anyRun = fc.integer({ min: 1, max: 70 }).chain((dimensions) =>
      fc.record({
        dimensions: fc.constant(dimensions),
        query: anyVector(dimensions),
        steps: fc.array(fc.option(fc.array(anyVector(dimensions), { minLength: 1, maxLength: 5 }), { nil: null }), {
          maxLength: 12,
        }),
      }),
    );
    fc.assert(
      fc.property(anyRun, ({ dimensions, query, steps }) => {
        const shelf = shelfOf(dimensions);
        for (const step of steps) {
          if (step === null) shelf.removeFirst();
          else expect(shelf.add(step)).toBe(true);
          const { true: cosines, own } = shelf.compare(query);
          expect([...own.keys()].toSorted()).toEqual([...cosines.keys()].toSorted());
          for (const [id, cosine] of cosines) expect(Math.abs(own.get(id)! - cosine)).toBeLessThan(OFF);
        }
      }),
    );
  });

  it('names every one of the nearest among some more than are wanted', () => {
    const dimensions = 384;
    const shelf = shelfOf(dimensions, 4 * MEGABYTE);
    // Numbers of a fixed row of pseudo-random ones, so that each run compares the same.
    let seed = 7;
    const random = (): number => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647 - 0.5;
    const vector = (): Float32Array => Float32Array.from({ length: dimensions }, random);
    for (let n = 0; n < 300; n += 1) shelf.add(Array.from({ length: 10 }, vector));
    for (let question = 0; question < 20; question += 1) {
      const query = vector();
      const { true: cosines } = shelf.compare(query);
      const nearest = [...cosines].toSorted(([, a], [, b]) => b - a).slice(0, 200);
      const named = finish(shelf.table.compare(query))!.best(shelf.counted, 250, false);
      const ids = new Set<string>(named.map(({ chunkId }) => chunkId));
      expect(nearest.filter(([id]) => !ids.has(id))).toEqual([]);
    }
  });

  it('leaves out what has nothing in common where only what is alike is asked for', () => {
    const shelf = shelfOf(3);
    shelf.add([
      Float32Array.of(1, 0, 0),
      Float32Array.of(0, 1, 0),
      Float32Array.of(-1, 0, 0),
      Float32Array.of(0, 0, 0),
    ]);
    const query = Float32Array.of(2, 0, 0);
    expect([...shelf.compare(query).own.values()].map((cosine) => Math.round(cosine * 100))).toEqual([100, 0, 0, -100]);
    expect([...shelf.compare(query, true).own.values()].map((cosine) => Math.round(cosine * 100))).toEqual([100]);
    expect(shelf.compare(Float32Array.of(0, 0, 0), true).own.size).toBe(0);
  });

  it('shows no chunk whose document shows others, or none', () => {
    const shelf = shelfOf(2);
    shelf.add([Float32Array.of(1, 1)]);
    const [document] = shelf.counted.keys();
    shelf.counted.set(document!, { ...shelf.counted.get(document!)!, set: newId<ChunkSetId>() });
    expect(shelf.compare(Float32Array.of(1, 1)).own.size).toBe(0);
    shelf.counted.clear();
    expect(shelf.compare(Float32Array.of(1, 1)).own.size).toBe(0);
  });

  it('does not take more than there is room for, and gives back what it held', () => {
    const memory = new VectorMemory(2 * PAGE);
    const row = (): Float32Array => new Float32Array(256).fill(1);
    const first = new Shelf(new VectorTable(memory, 256));
    for (let n = 0; n < 512; n += 1) expect(first.add([row()])).toBe(true);
    expect(memory.freeBytes).toBe(0);
    expect(first.add([row()])).toBe(false);
    first.removeFirst();
    expect(first.add([row()])).toBe(true);
    first.table.close();
    expect(memory.freeBytes).toBe(2 * PAGE);
    expect(first.add([row()])).toBe(false);
    expect(memory.freeBytes).toBe(2 * PAGE);
    expect(new Shelf(new VectorTable(memory, 256)).add([row()])).toBe(true);
  });

  it('says of a comparison that a change has met that it is void', () => {
    const shelf = shelfOf(4_096, 16 * MEGABYTE);
    const row = (): Float32Array => new Float32Array(4_096).fill(1);
    for (let n = 0; n < 3_000; n += 1) shelf.add([row()]);
    const comparison = shelf.table.compare(row());
    expect(comparison.next().done).toBe(false);
    shelf.add([row()]);
    expect(comparison.next()).toEqual({ done: true, value: undefined });
    expect(shelf.compare(row()).own.size).toBe(3_001);
  });

  it('does not mix two comparisons that take turns', () => {
    const shelf = shelfOf(4_096, 16 * MEGABYTE);
    const axis = (at: number): Float32Array => new Float32Array(4_096).fill(1, at, at + 1);
    for (let n = 0; n < 3_000; n += 1) shelf.add([axis(n % 2)]);
    const [one, two] = [shelf.table.compare(axis(0)), shelf.table.compare(axis(1))];
    for (;;) {
      const [a, b] = [one.next(), two.next()];
      if (a.done !== true || b.done !== true) continue;
      expect(a.value!.best(shelf.counted, ALL, true)).toHaveLength(1_500);
      expect(b.value!.best(shelf.counted, ALL, true)).toHaveLength(1_500);
      break;
    }
  });

  it('knows what vectors take, and those that are too long', () => {
    expect(bytesOfRows(1, 384)).toBe(PAGE);
    expect(bytesOfRows(170, 384)).toBe(PAGE);
    expect(bytesOfRows(171, 384)).toBe(2 * PAGE);
    expect(bytesOfRows(1, 16_384)).toBe(PAGE);
    expect(bytesOfRows(1, 16_385)).toBe(Number.POSITIVE_INFINITY);
  });

  it('is of no postings any more once it was closed', () => {
    const { table } = shelfOf(2);
    const postings = new DatasetPostings();
    table.settle(postings);
    expect(table.isOf(postings)).toBe(true);
    expect(table.isOf(new DatasetPostings())).toBe(false);
    table.close();
    expect(table.isOf(postings)).toBe(false);
    table.settle(postings);
    expect(table.isOf(postings)).toBe(false);
  });

  it('takes the greatest room that may be set, and no more than addresses reach', () => {
    expect(new VectorMemory(65_536 * MEGABYTE).freeBytes).toBeLessThan(4_096 * MEGABYTE);
  });

  it('finds nothing alike in numbers that are none', () => {
    const shelf = shelfOf(2);
    shelf.add([Float32Array.of(Number.NaN, 1), Float32Array.of(Number.POSITIVE_INFINITY, 1)]);
    expect([...finish(shelf.table.compare(Float32Array.of(1, 1)))!.best(shelf.counted, ALL, false)]).toMatchObject([
      { score: 0 },
      { score: 0 },
    ]);
  });

  it('stays within 32 bits with the longest vectors of the greatest numbers', () => {
    const shelf = shelfOf(16_384);
    shelf.add([new Float32Array(16_384).fill(1), new Float32Array(16_384).fill(-1)]);
    expect([...shelf.compare(new Float32Array(16_384).fill(1)).own.values()]).toEqual([1, -1]);
  });
});
