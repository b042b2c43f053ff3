import type { TextRange } from '#libs/text';
import type { ShownChunkRow } from '../rows/retrieval-rows.js';

/** The stretch of a document that is shown for a chunk: `text` is the canonical text from `start` to `end`, in UTF-16 code units. */
export interface ShownText extends TextRange {
  readonly text: string;
}

/** A chunk that stays a result, with its text. */
export interface ExpandedRow {
  readonly row: ShownChunkRow;
  readonly shown: ShownText;
}

/**
 * The texts of results, best first, with their surroundings where `around` was read. No text is shown twice: a chunk that a better result shows
 * in full is left out, and surroundings that a better result shows are not repeated. Each result depends only on those before it. The chunk
 * itself is never cut.
 */
export function expandRows(rows: readonly ShownChunkRow[]): ExpandedRow[] {
  const byDocument = new Map<string, TextRange[]>();
  return rows.flatMap((row) => {
    const before = byDocument.get(row.document_id) ?? [];
    const own = { start: Number(row.text_start), end: Number(row.text_end) };
    const isRepeated = row.around !== null && before.some(({ start, end }) => start <= own.start && end >= own.end);
    if (isRepeated) return [];
    const shown = textOf(row, own, before);
    byDocument.set(row.document_id, [...before, shown]);
    return [{ row, shown }];
  });
}

function textOf(row: ShownChunkRow, own: TextRange, before: readonly TextRange[]): ShownText {
  const { around } = row;
  if (around === null) return { ...own, text: row.body };
  let { start, end } = around;
  for (const range of before) {
    if (range.start < own.start) start = Math.max(start, Math.min(range.end, own.start));
    if (range.end > own.end) end = Math.min(end, Math.max(range.start, own.end));
  }
  const from = around.text_start;
  const isWhole = from <= start && from + around.text.length >= end;
  const holdsChunk = around.text.slice(own.start - from, own.end - from) === row.body;
  // The segments of a text that an attempt is replacing at this moment are not those that the chunk was cut from.
  if (!isWhole || !holdsChunk) return { ...own, text: row.body };
  return { start, end, text: around.text.slice(start - from, end - from) };
}
