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
