import { linkColumns, type ColumnLink } from './link-columns.js';
import { linkDates, type DateLink } from './link-dates.js';
import { linkNumbers, type NumberLink } from './link-numbers.js';
import { linkValues, type ValueLink } from './link-values.js';
import { isAmount } from './identifiers.js';
import { isTemporal, isYears, type FoundValue, type QuestionColumn, type QuestionTable } from './question-table.js';
import { relativeTimes, type RelativeTime } from './relative-time.js';
import { rosterOf, type ChosenColumn, type Roster } from './rosters/roster.js';
import { tariffOf } from './tariffs/durations.js';
import { seasonsOf } from './tariffs/seasons.js';
import { stateLinks } from './rosters/state-words.js';
import { tokensOf, type Token } from './words.js';

/** A question with the meanings of its words in one table. */
export interface LinkedQuestion {
  readonly tokens: readonly Token[];
  readonly table: QuestionTable;
  readonly columns: readonly ColumnLink[];
  readonly values: readonly ValueLink[];
  readonly numbers: readonly NumberLink[];
  readonly dates: readonly DateLink[];
  /** Times by the day of the question, which no statement has. */
  readonly relative: readonly RelativeTime[];
  /** Of a table with a column for each day. */
  readonly roster: Roster | undefined;
  /** Of a price list with a column for each of several times: those columns. */
  readonly tariff: readonly QuestionColumn[] | undefined;
  /** The column of a day or of a time that the question names. */
  readonly chosen: ChosenColumn | undefined;
}

interface Span {
  readonly from: number;
  readonly to: number;
}

export function linkQuestion(question: string, table: QuestionTable, found: readonly FoundValue[]): LinkedQuestion {
  const tokens = tokensOf(question);
  const roster = rosterOf(tokens, question, table);
  const tariff =
    roster === undefined ? (seasonsOf(tokens, question, table) ?? tariffOf(tokens, question, table)) : undefined;
  const chosen = roster?.chosen ?? tariff?.chosen;
  const { columns, values } =
    tariff === undefined
      ? linksOf(tokens, question, table, found, roster)
      : tariffLinks(tokens, question, table, found, tariff);
  const isFree = (span: Span): boolean => chosen === undefined || !overlaps(chosen, span);
  const hasDates = table.columns.some(({ type }) => type === 'date' || type === 'datetime');
  const hasTimes = table.columns.some(isTemporal);
  const wholeValues = values.filter(({ isExact, isSimilar }) => isExact && !isSimilar);
  const dates = hasDates
    ? linkDates(tokens).filter((date) => isFree(date) && !wholeValues.some((value) => covers(value, date)))
    : [];
  const keptValues = values.filter(
    (value) =>
      !dates.some((date) => overlaps(date, value)) &&
      !isYearAlone(value, tokens, hasTimes) &&
      !isHeader(value, columns),
  );
  const numbers = linkNumbers(tokens).filter(
    ({ at, ...link }) => ![...dates, ...keptValues].some((other) => other.from <= at && at < other.to) && isFree(link),
  );
  return {
    tokens,
    table,
    columns: columns.filter((link) => !keptValues.some((value) => overlaps(value, link))),
    values: keptValues,
    numbers,
    dates,
    relative: relativeTimes(tokens, table.columns.some(isYears)),
    roster,
    tariff: tariff?.columns,
    chosen,
  };
}

/** In a price list for several times, the time of the question chooses the column, and no word of a header alone. */
function tariffLinks(
  tokens: readonly Token[],
  question: string,
  table: QuestionTable,
  found: readonly FoundValue[],
  { columns, chosen }: NonNullable<ReturnType<typeof tariffOf>>,
): Pick<LinkedQuestion, 'columns' | 'values'> {
  const others = linkColumns(
    tokens,
    table.columns.filter((column) => !columns.includes(column)),
  );
  const values = linkValues(tokens, question, table.columns, found);
  if (chosen === undefined) return { columns: others, values };
  const { from, to, column } = chosen;
  return {
    columns: [...others.filter((link) => !overlaps(link, chosen)), { column, from, to, score: 1, isSynonym: false }],
    values: values.filter((link) => !overlaps(link, chosen)),
  };
}

/** In a roster, the day of the question chooses the column; words of other days' headers and cells say nothing of it. */
function linksOf(
  tokens: readonly Token[],
  question: string,
  table: QuestionTable,
  found: readonly FoundValue[],
  roster: Roster | undefined,
): Pick<LinkedQuestion, 'columns' | 'values'> {
  if (roster === undefined)
    return {
      columns: linkColumns(tokens, table.columns),
      values: linkValues(tokens, question, table.columns, found),
    };
  const { days, chosen } = roster;
  const others = table.columns.filter((column) => !days.includes(column));
  const isOther = ({ column }: FoundValue): boolean => others.some(({ name }) => name === column);
  const columns = linkColumns(tokens, others);
  const values = linkValues(tokens, question, others, found.filter(isOther));
  if (chosen === undefined) return { columns, values };
  const states = stateLinks(tokens, question, chosen, found).filter(
    (state) => !values.some((value) => overlaps(value, state) && value.to - value.from > state.to - state.from),
  );
  const isFree = (span: Span): boolean => ![chosen, ...states].some((own) => overlaps(own, span));
  const { from, to, column } = chosen;
  return {
    columns: [...columns.filter(isFree), { column, from, to, score: 1, isSynonym: false }],
    values: [...values.filter(isFree), ...states].toSorted((a, b) => a.from - b.from),
  };
}

export function overlaps(one: Span, other: Span): boolean {
  return one.from < other.to && other.from < one.to;
}

/** The words of a part of the question. */
export function wordsOf({ tokens }: LinkedQuestion, from: number, to: number): string {
  return tokens
    .slice(Math.max(0, from), Math.max(0, to))
    .map(({ text }) => text)
    .join(' ');
}

/** The nearest mention of a column that `fits`, at most `most` tokens away from a span. */
export function nearestColumn(
  { columns }: LinkedQuestion,
  span: Span,
  most: number,
  fits: (link: ColumnLink) => boolean,
): ColumnLink | undefined {
  return columns
    .filter(fits)
    .map((link) => ({ link, away: distance(link, span) }))
    .filter(({ away }) => away <= most)
    .toSorted((a, b) => a.away - b.away || b.link.score - a.link.score)[0]?.link;
}

export function distance(one: Span, other: Span): number {
  return Math.max(0, one.from - other.to, other.from - one.to);
}

/** Columns of numbers that are no years and no mere numbering. */
export function amounts({ table }: LinkedQuestion): QuestionTable['columns'] {
  return table.columns.filter((column) => isAmount(column, table));
}

function covers(one: Span, other: Span): boolean {
  return one.from <= other.from && other.to <= one.to;
}

function isYearAlone({ from, to }: ValueLink, tokens: readonly Token[], hasTimes: boolean): boolean {
  return hasTimes && to - from === 1 && /^(?:1\d{3}|20\d\d)s?$/.test(tokens[from]!.text);
}

/** Words that are a header are no value, unless the value is longer or is these words and the header only like them. */
function isHeader(value: ValueLink, columns: readonly ColumnLink[]): boolean {
  return columns.some((link) => {
    if (!overlaps(link, value)) return false;
    const longer = value.to - value.from - (link.to - link.from);
    if (longer > 0) return false;
    return !(value.isExact && !value.isSimilar && (link.isSynonym || link.score < 0.75));
  });
}
