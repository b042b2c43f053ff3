import { cellsOf } from '#libs/text';
import type { ReadSentence } from './source-reader.js';

/** A statement of a source that may be quoted. */
export interface RowCandidate {
  readonly sentence: ReadSentence;
}

/** So much more of a word is more: another form of it is none. */
const MORE = 0.25;
/** A word or an inflection of it. */
const AS_IT_IS = 0.9;

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

/**
 * Leaves out rows that only mention what another row is named after, and say no more of the question: what *Business* costs is told by the row of
 * that name, not by the one of an addition that is sold for Team and Business. Rows that are named alike stay.
 */
export function withoutMentions<T extends RowCandidate>(candidates: readonly T[], textOf: (one: T) => string): T[] {
  const named = candidates.filter((one) => isNamed(one.sentence, textOf(one)));
  return candidates.filter(
    (one) =>
      one.sentence.kind !== 'row' ||
      named.includes(one) ||
      !named.some(({ sentence }) => sentence.matches.every((match, at) => match + MORE > one.sentence.matches[at]!)),
  );
}

/** Whether the first cell of a row says nothing but words of the question, as they are. */
function isNamed(sentence: ReadSentence, text: string): boolean {
  return namesOfRow(sentence, text).size > 0;
}

/** Terms of the question that are the whole first cell of a row of a table; none where the cell says more. */
export function namesOfRow(sentence: ReadSentence, text: string): ReadonlySet<number> {
  const { start, end, hits, header, matches } = sentence;
  if (header === null) return new Set();
  const [cell = ''] = cellsOf(text.slice(start, end)).filter((one) => one !== '');
  const words = cell.match(/[\p{L}\p{M}\p{N}]+/gu)?.length ?? 0;
  const found = hits.filter(({ term, at }) => at < words && matches[term]! >= AS_IT_IS);
  return new Set(found.map(({ at }) => at)).size < words ? new Set() : new Set(found.map(({ term }) => term));
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
export function withoutOtherSubjects<T extends RowCandidate & { readonly about: readonly number[] }>(
  candidates: readonly T[],
  weigh: (matches: readonly number[]) => number,
): T[] {
  const isRow = ({ sentence }: T): boolean => tableOf(sentence) !== null;
  const most = Math.max(0, ...candidates.filter(isRow).map(({ sentence }) => weigh(sentence.own)));
  const isOutdone = candidates.some((one) => weigh(isRow(one) ? one.sentence.own : one.about) > most);
  if (isOutdone) return [...candidates];
  return candidates.filter(({ about }) => weigh(about) >= SUBJECT * most);
}
