import { wordForms } from '#libs/ranking';
import { termsOf } from './overlap.js';
import { TIMES } from './question-profile.js';
import { contradictEachOther } from './same-statement.js';
import type { StatedDate } from './source-date.js';

/** A quotation of a source that may be dated. */
export interface DatedQuote {
  readonly quote: string;
  readonly sourceIndex: number;
  readonly source: { readonly date: StatedDate | null };
}

/** A quotation in its place; `replaced`: its date, where the one before it is newer and contradicts it. */
export interface PlacedQuote<T> {
  readonly one: T;
  readonly replaced: StatedDate | null;
}

/**
 * Puts the newer of two statements of different sources that contradict each other before the older, which comes right behind it. Where one
 * of them is not dated, or both alike, nothing is called newer, and the order stays.
 */
export function supersede<T extends DatedQuote>(quotes: readonly T[]): PlacedQuote<T>[] {
  const replacedBy = new Map<T, T>();
  for (const older of quotes) {
    const newer = quotes
      .filter((other) => isNewer(other, older))
      .toSorted(byDate)
      .at(-1);
    if (newer !== undefined) replacedBy.set(older, newer);
  }
  const behind = (one: T): PlacedQuote<T>[] =>
    quotes
      .filter((other) => replacedBy.get(other) === one)
      .toSorted((a, b) => byDate(b, a))
      .map((other) => ({ one: other, replaced: other.source.date }));
  return quotes
    .filter((one) => !replacedBy.has(one))
    .flatMap((one): PlacedQuote<T>[] => [{ one, replaced: null }, ...behind(one)]);
}

/** Quotations, and behind them what is newer and contradicts one of them: what was replaced is not told alone. */
export function withNewer<T extends DatedQuote>(quotes: readonly T[], others: readonly T[]): T[] {
  const added = quotes.flatMap((older) => {
    const newest = others
      .filter((other) => isNewer(other, older))
      .toSorted(byDate)
      .at(-1);
    return newest === undefined ? [] : [newest];
  });
  const isQuoted = (one: T): boolean => quotes.some(({ quote }) => quote === one.quote);
  return [...quotes, ...added.filter((one, at) => !isQuoted(one) && added.indexOf(one) === at)];
}

/** “So far children from 8 could …”: what is told as it was. */
const UNTIL_NOW =
  /^[^\p{L}]*(?:so far|until now|up to now|till now|previously|formerly|in the past|originally|bisher|bislang|bis jetzt|früher|zuvor|vormals|ursprünglich|jusqu['’](?:ici|à présent|alors)|auparavant|autrefois|précédemment|hasta ahora|anteriormente)(?!\p{L})/iu;

/**
 * Quotations, and right behind one that tells how something was the statement that follows it in its source, which tells how it is.
 * @param next the statement behind one; none at the end of its source
 */
export function withWhatHolds<T extends { readonly quote: string }>(
  quotes: readonly T[],
  next: (one: T) => readonly T[],
): T[] {
  const isQuoted = (one: T): boolean => quotes.some(({ quote }) => quote === one.quote);
  const behind = quotes.map((one) => (UNTIL_NOW.test(one.quote) ? next(one).filter((other) => !isQuoted(other)) : []));
  // One that is told with what holds needs no other beside it.
  const kept = behind.some((one) => one.length > 0)
    ? quotes.filter((_, at) => at === 0 || behind[at]!.length > 0)
    : quotes;
  return kept.flatMap((one) => [one, ...behind[quotes.indexOf(one)]!]);
}

/** “This replaces the 14 days of the guest guide”: tells what the statement before it puts out of force. */
const REPLACES =
  /^[^\p{L}]*(?:(?:this|that|it|which) (?:rule |decision |change )?(?:replaces|supersedes|overrides|takes the place of)|(?:dies|das|es|damit|diese regel\p{L}*|sie) (?:ersetzt|ersetzen|löst|gilt (?:statt|anstelle))|(?:cela|ceci|cette règle|elle|il) (?:remplace|annule)|(?:esto|eso|esta regla) (?:sustituye|reemplaza))(?!\p{L})/iu;
const FIGURES = /(?<![\p{L}\p{N}])\p{N}[\p{N}.,:]*/gu;

/** A statement and the one behind it that says what it replaces. */
export interface Replacement<T> {
  readonly one: T;
  readonly said: T;
}

/** Whether a statement says what the one before it puts out of force. */
export function saysWhatIsReplaced(statement: string): boolean {
  return REPLACES.test(statement);
}

/**
 * Quotations in which a statement whose figures another one says to be replaced gives way to that one, and to what it says: 21 days, and not the 14 of
 * the guide.
 */
export function withoutReplacedFigures<T extends { readonly quote: string }>(
  quotes: readonly T[],
  replacements: readonly Replacement<T>[],
): T[] {
  const told = new Set<string>();
  return quotes
    .flatMap((older): T[] => {
      const by = replacements.find(
        ({ one, said }) =>
          one.quote !== older.quote &&
          said.quote !== older.quote &&
          holdsFigures(said.quote, older.quote) &&
          isOfOneMatter(one.quote, older.quote),
      );
      return by === undefined ? [older] : [by.one, by.said];
    })
    .flatMap((one, _, all) => {
      const before = replacements.find((by) => by.one.quote === one.quote);
      return before !== undefined && all.some(({ quote }) => quote === before.said.quote) ? [one, before.said] : [one];
    })
    .filter(({ quote }) => !told.has(quote) && told.add(quote));
}

/** Words that both of two statements of one matter hold, at least. */
const SHARED = 2;

function isOfOneMatter(one: string, other: string): boolean {
  const stems = stemsOf(one);
  return [...stemsOf(other)].filter((stem) => stems.has(stem)).length >= SHARED;
}

function stemsOf(text: string): ReadonlySet<string> {
  return new Set(
    termsOf(text).flatMap(({ form, sort, isContent }) =>
      sort === 'word' && isContent && !TIMES.test(form) ? [wordForms(form).stem] : [],
    ),
  );
}

/** Whether a text holds every figure of another one, which has some. */
function holdsFigures(text: string, of: string): boolean {
  const held = new Set(figuresOf(text));
  const figures = figuresOf(of);
  return figures.length > 0 && figures.every((figure) => held.has(figure));
}

function figuresOf(text: string): string[] {
  return [...text.matchAll(FIGURES)].map(([figure]) => figure.replace(/[.,:]+$/u, ''));
}

function isNewer(one: DatedQuote, older: DatedQuote): boolean {
  const [date, before] = [one.source.date, older.source.date];
  if (one.sourceIndex === older.sourceIndex || date === null || before === null) return false;
  // Of a year and a day within it neither is known to be newer.
  const isLater = date.iso > before.iso && !date.iso.startsWith(before.iso);
  return isLater && contradictEachOther(one.quote, older.quote);
}

function byDate(a: DatedQuote, b: DatedQuote): number {
  const [one, other] = [a.source.date?.iso ?? '', b.source.date?.iso ?? ''];
  return one < other ? -1 : one > other ? 1 : 0;
}
