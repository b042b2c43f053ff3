import { areSynonyms } from './header-synonyms.js';
import { isAmount, isIdentifier } from './identifiers.js';
import { headerWords } from './link-columns.js';
import { amounts, nearestColumn, type LinkedQuestion } from './linked-question.js';
import { columnMeasuredBy } from './measure-words.js';
import { isUpkeep } from './money-columns.js';
import { isNumeric, isTemporal, type QuestionColumn } from './question-table.js';

/** `the highest amount`, `the oldest`, `the last three`. */
export interface Superlative {
  readonly from: number;
  readonly to: number;
  readonly descending: boolean;
  /** Rows asked for. */
  readonly count: number;
  readonly kind: 'amount' | 'place';
  /** Undefined: no column was found for it. */
  readonly column: QuestionColumn | undefined;
  readonly mention: { readonly from: number; readonly to: number } | undefined;
  readonly quality: number;
  readonly word: string;
}

const DOWN =
  /^(?:most|highest|largest|biggest|greatest|maximum|max|top|best|longest|tallest|heaviest|fastest|latest|newest|youngest|deepest|widest|expensive|strongest|thickest|hottest|warmest|busiest|priciest|dearest|loudest|brightest|farthest|furthest|steepest|quickest|hardest|richest|broadest)$/;
const UP =
  /^(?:least|fewest|lowest|smallest|minimum|min|shortest|earliest|oldest|slowest|worst|cheapest|lightest|bottom|weakest|thinnest|coldest|coolest|nearest|closest|quietest|narrowest|shallowest|soonest|poorest)$/;
const PLACE = /^(?:first|last|final|initial)$/;
const NUMBERS = new Map(
  'two three four five six seven eight nine ten'.split(' ').map((word, index) => [word, index + 2] as const),
);

/** The first superlative of a question that is free. */
export function superlativeOf(question: LinkedQuestion, asked: QuestionColumn | undefined): Superlative | undefined {
  const { tokens } = question;
  const at = tokens.findIndex(
    ({ text }, index) =>
      (DOWN.test(text) || UP.test(text) || (PLACE.test(text) && !isOfTime(question, index))) && isFree(question, index),
  );
  if (at < 0) return undefined;
  const { text } = tokens[at]!;
  const word = (text === 'most' || text === 'least') && tokens[at + 1]?.text === 'expensive' ? 'expensive' : text;
  const recent = text === 'most' && /^recent(?:ly)?$/.test(tokens[at + 1]?.text ?? '');
  const end = word !== text || recent ? at + 2 : at + 1;
  const { count, to } = countBehind(question, end);
  const isPlace = PLACE.test(text) || recent;
  const begin = to === end ? countBefore(question, at) : { count, from: at };
  const span = { from: begin.from, to };
  const shared = { ...span, count: to === end ? begin.count : count, word: recent ? 'latest' : word };
  if (isPlace) return placeOf(question, shared, text, recent);
  const measured = measureOf(question, shared.word, span, asked);
  return {
    ...shared,
    kind: 'amount',
    descending: isDescending(word, text, measured?.column),
    ...withoutMeasure,
    ...measured,
  };
}

/** `the last day` of a stay says when, and is no row of a table without such a column. */
function isOfTime({ tokens, columns }: LinkedQuestion, at: number): boolean {
  const isUnit = /^(?:day|night|week|month|quarter|year|hour|minute|weekend)$/.test(tokens[at + 1]?.text ?? '');
  return isUnit && !columns.some(({ from, isSynonym }) => from === at + 1 && !isSynonym);
}

const withoutMeasure = { column: undefined, mention: undefined, quality: 0.6 };

function isDescending(word: string, text: string, column: QuestionColumn | undefined): boolean {
  const isTime = column !== undefined && isTemporal(column);
  // A high place is a low number.
  const isRank = column !== undefined && headerWords(column).some(({ stem }) => areSynonyms(stem, 'rank'));
  if (isRank && /^(?:highest|best|top|lowest|worst|bottom)$/.test(word)) return /^(?:lowest|worst|bottom)$/.test(word);
  if (word === 'oldest') return !isTime && column !== undefined;
  if (word === 'youngest') return isTime || column === undefined;
  if (word === 'expensive') return text !== 'least';
  return DOWN.test(text);
}

function placeOf(
  question: LinkedQuestion,
  shared: Pick<Superlative, 'from' | 'to' | 'count' | 'word'>,
  text: string,
  recent: boolean,
): Superlative {
  const isListed = question.tokens.some(({ text: word }) =>
    /^(?:list|listed|chart|table|shown|row|rows|sheet|entry)$/.test(word),
  );
  const time = nearestColumn(question, shared, 6, ({ column }) => isTemporal(column));
  const column = isListed ? undefined : (time?.column ?? question.table.columns.find(isTemporal));
  const descending = recent || text === 'last' || text === 'final';
  return { ...shared, kind: 'place', descending, column, mention: time, quality: 0.95 };
}

function measureOf(
  question: LinkedQuestion,
  word: string,
  span: { readonly from: number; readonly to: number },
  asked: QuestionColumn | undefined,
): Pick<Superlative, 'column' | 'mention' | 'quality'> | undefined {
  const isTimeWord = /^(?:latest|newest|earliest|oldest|youngest)$/.test(word);
  const fits = (column: QuestionColumn): boolean =>
    isTimeWord ? isTemporal(column) || isNumeric(column) : isAmount(column, question.table);
  // A number that names something has a highest one too, where it is named right behind.
  const fitsBehind = (column: QuestionColumn): boolean =>
    fits(column) || (!isTimeWord && isIdentifier(column, question.table));
  const behind = question.columns.find(
    ({ from, column }) => fitsBehind(column) && from >= span.to && from - span.to <= 3,
  );
  const mention =
    behind ?? nearestColumn(question, span, 12, ({ column }) => fits(column) && column.name !== asked?.name);
  if (mention !== undefined) return { column: mention.column, mention, quality: 0.65 + 0.35 * mention.score };
  const isPrice = /^(?:cheapest|expensive|priciest|dearest)$/.test(word);
  const columns = question.table.columns.filter((column) => fits(column) && !(isPrice && isUpkeep(column)));
  const meant = columnMeasuredBy(word, columns) ?? totalOf(word, columns);
  if (meant !== undefined) return { column: meant, mention: undefined, quality: 0.9 };
  if (isTimeWord) {
    const time = question.table.columns.find(isTemporal);
    return time === undefined ? undefined : { column: time, mention: undefined, quality: 0.92 };
  }
  const only = amounts(question);
  return only.length === 1 && word !== 'most' && word !== 'least'
    ? { column: only[0], mention: undefined, quality: 0.75 }
    : undefined;
}

/** `the most medals` where a column has the total of several kinds. */
function totalOf(word: string, columns: readonly QuestionColumn[]): QuestionColumn | undefined {
  if (word !== 'most' && word !== 'least' && word !== 'fewest') return undefined;
  return columns.find(({ label }) => /^(?:total|overall)$/i.test(label.trim()));
}

function countBehind({ tokens }: LinkedQuestion, at: number): { count: number; to: number } {
  const count = numberOf(tokens[at]?.text) ?? manyOf(tokens[at]?.text);
  return count === undefined ? { count: 1, to: at } : { count, to: at + 1 };
}

/** `the three largest` */
function countBefore({ tokens }: LinkedQuestion, at: number): { count: number; from: number } {
  const text = tokens[at - 1]?.text;
  const count = numberOf(text) ?? (tokens[at - 2]?.text === 'the' ? manyOf(text) : undefined);
  return count === undefined ? { count: 1, from: at } : { count, from: at - 1 };
}

function numberOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d{1,3}$/.test(text)) return Number(text);
  return NUMBERS.get(text);
}

/** A count of a thousand and more, `1500` or `1,500`; what may be a year of this time is none. */
function manyOf(text: string | undefined): number | undefined {
  if (text === undefined || !/^(?:[1-9]\d{3,8}|[1-9]\d{0,2}(?:,\d{3}){1,2})$/.test(text)) return undefined;
  const count = Number(text.replaceAll(',', ''));
  return !text.includes(',') && count >= 1_900 && count <= 2_100 ? undefined : count;
}

/** Not `at least 5`, nor words of a value or of a time. */
function isFree({ tokens, numbers, values, dates, relative }: LinkedQuestion, at: number): boolean {
  if (tokens[at - 1]?.text === 'at') return false;
  if ([...dates, ...relative].some(({ from, to }) => from <= at && at < to)) return false;
  return ![...numbers.filter(({ isCompared }) => isCompared), ...values].some(({ from, to }) => from <= at && at < to);
}
