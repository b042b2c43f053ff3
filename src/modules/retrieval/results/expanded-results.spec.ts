import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ChunkId, DocumentId } from '#libs/common';
import { expandRows } from './expanded-results.js';
import type { ShownChunkRow } from '../rows/retrieval-rows.js';

const TEXT = 'Ünï 😀 code. '.repeat(40);
/** Chunks that overlap by some characters or leave some out, of which each is shown with its neighbours. */
const anyRows = fc
  .record({
    size: fc.integer({ min: 3, max: 60 }),
    gap: fc.integer({ min: -2, max: 3 }),
    parent: fc.constantFrom(0, 2, 3),
    documents: fc.constantFrom(1, 2),
    order: fc.infiniteStream(fc.nat()),
  })
  .map(({ size, gap, parent, documents, order }) => {
    const ranges: { start: number; end: number }[] = [];
    for (let start = 0; start + size <= TEXT.length; start += size + gap) ranges.push({ start, end: start + size });
    const rows = ranges.flatMap((range, ordinal) =>
      Array.from({ length: documents }, (_, document) => {
        const first = parent === 0 ? Math.max(0, ordinal - 1) : ordinal - (ordinal % parent);
        const last = Math.min(ranges.length - 1, parent === 0 ? ordinal + 1 : first + parent - 1);
        return rowOf(`d${document}`, ordinal, range, { start: ranges[first]!.start, end: ranges[last]!.end });
      }),
    );
    return rows
      .map((row) => ({ row, key: order.next().value as number }))
      .sort((a, b) => a.key - b.key)
      .map(({ row }) => row);
  });

function rowOf(
  documentId: string,
  ordinal: number,
  own: { start: number; end: number },
  around: { start: number; end: number } | null,
): ShownChunkRow {
  const row: Partial<ShownChunkRow> = {
    id: `${documentId}-${ordinal}` as ChunkId,
    document_id: documentId as DocumentId,
    ordinal,
    body: TEXT.slice(own.start, own.end),
    text_start: String(own.start),
    text_end: String(own.end),
    around:
      around === null
        ? null
        : { ...around, text_start: Math.max(0, around.start - 5), text: TEXT.slice(Math.max(0, around.start - 5)) },
  };
  return row as ShownChunkRow;
}

describe('expandRows', () => {
  it('shows exactly the text between its offsets, and the chunk in full', () => {
    fc.assert(
      fc.property(anyRows, (rows) => {
        for (const { row, shown } of expandRows(rows)) {
          expect(shown.text).toBe(TEXT.slice(shown.start, shown.end));
          expect(shown.start).toBeLessThanOrEqual(Number(row.text_start));
          expect(shown.end).toBeGreaterThanOrEqual(Number(row.text_end));
          expect(shown.start).toBeGreaterThanOrEqual(row.around!.start);
          expect(shown.end).toBeLessThanOrEqual(row.around!.end);
        }
      }),
    );
  });

  it('gives for fewer rows a prefix', () => {
    fc.assert(
      fc.property(anyRows, fc.nat({ max: 20 }), (rows, count) => {
        const fewer = expandRows(rows.slice(0, count));
        expect(fewer).toEqual(expandRows(rows).slice(0, fewer.length));
      }),
    );
  });

  it('shows no text twice except where chunks themselves overlap', () => {
    fc.assert(
      fc.property(anyRows, (rows) => {
        const results = expandRows(rows);
        for (const [index, { row, shown }] of results.entries()) {
          const own = { start: Number(row.text_start), end: Number(row.text_end) };
          for (const before of results.slice(0, index)) {
            if (before.row.document_id !== row.document_id) continue;
            const overlap = {
              start: Math.max(shown.start, before.shown.start),
              end: Math.min(shown.end, before.shown.end),
            };
            if (overlap.start >= overlap.end) continue;
            expect(overlap.start).toBeGreaterThanOrEqual(own.start);
            expect(overlap.end).toBeLessThanOrEqual(own.end);
            expect(overlap.end - overlap.start).toBeLessThan(own.end - own.start);
          }
        }
      }),
    );
  });

  it('leaves out nothing that is not shown by another', () => {
    fc.assert(
      fc.property(anyRows, (rows) => {
        const results = expandRows(rows);
        for (const { document_id: id, text_start: start, text_end: end } of rows) {
          const isShown = results.some(
            ({ row, shown }) => row.document_id === id && shown.start <= Number(start) && shown.end >= Number(end),
          );
          expect(isShown).toBe(true);
        }
      }),
    );
  });

  it('gives chunks as they are, also the same text again, when nothing around them is asked for', () => {
    const rows = [rowOf('d0', 0, { start: 0, end: 20 }, null), rowOf('d0', 1, { start: 5, end: 15 }, null)];
    expect(expandRows(rows).map(({ shown }) => shown)).toEqual([
      { start: 0, end: 20, text: TEXT.slice(0, 20) },
      { start: 5, end: 15, text: TEXT.slice(5, 15) },
    ]);
  });

  it('gives the chunk alone when the text around it is not the one it was cut from', () => {
    const row = rowOf('d0', 1, { start: 10, end: 20 }, { start: 0, end: 30 });
    const other = { ...row, around: { start: 0, end: 30, text_start: 0, text: 'x'.repeat(40) } };
    const short = { ...row, around: { start: 0, end: 30, text_start: 0, text: TEXT.slice(0, 25) } };
    for (const one of [other, short]) {
      expect(expandRows([one])[0]!.shown).toEqual({ start: 10, end: 20, text: TEXT.slice(10, 20) });
    }
  });
});
