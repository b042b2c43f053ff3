import { describe, expect, it } from 'vitest';
import type { RetrievedChunk } from '../../retrieval/index.js';
import { contextWarnings, packContext, SOURCES_MAX } from './context-packing.js';

/** A chunk of this many tokens, with this many around it on both sides. */
function chunk(id: string, tokens: number, around = 0): RetrievedChunk {
  const text = `${'前'.repeat(around)}${'水'.repeat(tokens)}${'後'.repeat(around)}`;
  const own = { start: 100, end: 100 + tokens };
  const place = { text, start: 100 - around, end: 100 + tokens + around, own };
  return { chunkId: id, documentName: '', ...place } as unknown as RetrievedChunk;
}
const idsOf = (chunks: readonly RetrievedChunk[]): string[] => chunks.map(({ chunkId }) => chunkId);

describe('packContext', () => {
  it('takes whole chunks, best first, and passes over one that does not fit', () => {
    const packed = packContext([chunk('a', 400), chunk('b', 700), chunk('c', 100)], 600);
    expect(idsOf(packed.chunks)).toEqual(['a', 'c']);
    expect(idsOf(packed.leftOut)).toEqual(['b']);
    expect(packed.chunks[0]!.text).toBe('水'.repeat(400));
  });

  it('adds the text around the best where there is room when every chunk has its place', () => {
    const packed = packContext([chunk('a', 100, 50), chunk('b', 100, 50), chunk('c', 100, 50)], 450);
    expect(packed.chunks.map(({ text }) => text.length)).toEqual([200, 100, 100]);
    expect(packed.chunks.map(({ start, end }) => [start, end])).toEqual([
      [50, 250],
      [100, 200],
      [100, 200],
    ]);
    expect(packed.leftOut).toEqual([]);
  });

  it('gives at most twenty, and names those left out', () => {
    const packed = packContext(
      Array.from({ length: SOURCES_MAX + 12 }, (_, index) => chunk(`c${index}`, 1)),
      10_000,
    );
    expect(packed.chunks).toHaveLength(SOURCES_MAX);
    const [warning] = contextWarnings(packed, { given: 3, kept: 3 });
    expect(warning).toMatchObject({ code: 'CONTEXT_BUDGET', detail: expect.stringContaining('c20, c21') as string });
    expect(warning!.detail).toContain('and 2 more');
    expect(contextWarnings({ chunks: [], leftOut: [] }, { given: 5, kept: 3 })).toMatchObject([
      { code: 'HISTORY_CUT' },
    ]);
  });
});
