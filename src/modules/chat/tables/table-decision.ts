import { calibrate, TABLE_FIT, TABLE_FIT_BESIDE_PROSE, type TableAnswer } from '../../tables/index.js';
import { ANSWERED_THRESHOLD, measureAnswered } from '#libs/answering';
import type { RetrievalOutcome, RetrievedChunk } from '../../retrieval/index.js';

const TABLE_CONFIDENCE = calibrate(TABLE_FIT);
const TABLE_CONFIDENCE_BESIDE_PROSE = calibrate(TABLE_FIT_BESIDE_PROSE);

/**
 * Whether a table answers a question better than prose; always true where the fragments are `refused`. Fragments with rows of the table itself do
 * not count as prose.
 */
export function prefersTable(table: TableAnswer, outcome: RetrievalOutcome, refused: boolean): boolean {
  if (table.confidence < TABLE_CONFIDENCE) return false;
  if (refused) return true;
  if (table.confidence >= TABLE_CONFIDENCE_BESIDE_PROSE && table.unexplained.length === 0) return true;
  const prose = outcome.results.flatMap((chunk) => {
    const text = proseOf(chunk, table.places);
    return text.trim() === '' ? [] : [{ text, title: [chunk.documentName, ...chunk.headingPath].join('\n') }];
  });
  return measureAnswered(outcome.question, prose) < ANSWERED_THRESHOLD;
}

/** What of a fragment is before and behind the rows of the table. */
function proseOf({ documentId, text, start, end }: RetrievedChunk, places: TableAnswer['places']): string {
  const own = places.filter((place) => place.documentId === documentId && place.start < end && place.end > start);
  if (own.length === 0) return text;
  const first = Math.max(0, Math.min(...own.map((place) => place.start)) - start);
  const last = Math.max(...own.map((place) => place.end)) - start;
  // The line above the rows is their header.
  const before = text.slice(0, first).replace(/[^\n]*\n?$/, '');
  return `${before}\n${text.slice(last)}`;
}
