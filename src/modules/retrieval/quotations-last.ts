import { quotationStart } from '#libs/text';
import type { HighlightMarker } from './highlights.js';
import type { ShownChunkRow } from './retrieval-rows.js';

/** Candidates among which an original is looked for; longer lists are ordered window by window, so that a shorter list stays the beginning of a longer one. */
export const QUOTATION_WINDOW = 50;

type Row = Pick<ShownChunkRow, 'document_id' | 'body' | 'heading_path'>;

/** Whether a chunk quotes anything. */
export function holdsQuotation({ body, heading_path: headings }: Row): boolean {
  return quotationStart(body, headings) !== Infinity;
}

/** So many candidates that the first `limit` of them are in whole windows. */
export function wholeWindows(limit: number): number {
  return Math.ceil(limit / QUOTATION_WINDOW) * QUOTATION_WINDOW;
}

/**
 * Puts chunks that match by a quotation alone behind the others of their window, where another document of it says the same in its own words: the mail
 * that said it first. A quotation whose original was not found stays where it is.
 */
export function originalsFirst<T extends Row>(rows: readonly T[], marker: HighlightMarker): T[] {
  const ordered: T[] = [];
  for (let from = 0; from < rows.length; from += QUOTATION_WINDOW) {
    const window = rows.slice(from, from + QUOTATION_WINDOW);
    const own = window.map((row) => ({ document: row.document_id, words: wordsOf(ownPart(row)) }));
    const isRepeated = (row: T): boolean => {
      const said = quotedMatches(row, marker);
      return (
        said.length > 0 &&
        said.every((words) => own.some((other) => other.document !== row.document_id && other.words.includes(words)))
      );
    };
    const repeated = new Set(window.filter((row) => holdsQuotation(row) && isRepeated(row)));
    ordered.push(...window.filter((row) => !repeated.has(row)), ...repeated);
  }
  return ordered;
}

function ownPart({ body, heading_path: headings }: Row): string {
  return body.slice(0, quotationStart(body, headings));
}

/** The sentences by which a chunk matches, if it quotes all of them; else none. */
function quotedMatches({ body, heading_path: headings }: Row, marker: HighlightMarker): string[] {
  const from = quotationStart(body, headings);
  const marked = marker.mark(body).filter(({ start, end }) => quotationStart(body.slice(start, end), []) === Infinity);
  if (marked.some(({ start }) => start < from)) return [];
  return marked.map(({ start, end }) => wordsOf(body.slice(start, end))).filter((words) => words !== '');
}

/** Letters and digits in small letters: lines break elsewhere in a quotation. */
function wordsOf(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .toLowerCase();
}
