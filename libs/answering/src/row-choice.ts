import type { ReadSentence } from './source-reader.js';

/** A statement of a source that may be quoted. */
export interface RowCandidate {
  readonly sentence: ReadSentence;
}

/** So much more of a word is more: another form of it is none. */
const MORE = 0.25;

/**
 * Leaves out rows that fit less than another row of the same table: of a list of fares only the row of the category and the route that a
 * question names. Rows are compared by their own cells, word by word; what their header holds they have in common. Tables are the same
 * where their headers are, so that the parts of one in several sources count as one.
 */
export function withoutLesserRows<T extends RowCandidate>(candidates: readonly T[]): T[] {
  const tables = new Map<string, ReadSentence[]>();
  for (const { sentence } of candidates) {
    const table = tableOf(sentence);
    if (table !== null) tables.set(table, [...(tables.get(table) ?? []), sentence]);
  }
  return candidates.filter(({ sentence }) => {
    const table = tableOf(sentence);
    return table === null || !tables.get(table)!.some((other) => fitsBetter(other, sentence));
  });
}

function tableOf({ kind, header }: ReadSentence): string | null {
  return kind === 'row' && header !== null ? header.replace(/\s+/g, ' ').trim() : null;
}

/** Whether one row holds all words of the question that another holds, and one more. */
function fitsBetter({ own: one }: ReadSentence, { own: other }: ReadSentence): boolean {
  return one.every((match, at) => match + MORE > other[at]!) && one.some((match, at) => match >= other[at]! + MORE);
}

/** What holds less than this share of what the best row holds itself is about something else. */
const SUBJECT = 0.5;

/** Where a row holds most of a question by itself, only what holds half as much: other sentences do not share its subject. */
export function withoutOtherSubjects<T extends RowCandidate>(
  candidates: readonly T[],
  weigh: (matches: readonly number[]) => number,
): T[] {
  const best = (those: readonly T[]): number => Math.max(0, ...those.map(({ sentence }) => weigh(sentence.own)));
  const most = best(candidates.filter(({ sentence }) => tableOf(sentence) !== null));
  if (most < best(candidates)) return [...candidates];
  return candidates.filter(({ sentence }) => weigh(sentence.matches) >= SUBJECT * most);
}
