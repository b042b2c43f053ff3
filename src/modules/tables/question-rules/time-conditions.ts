import type { Clue, ClueRules } from './clue.js';
import { isAmount } from './identifiers.js';
import { headerWords } from './link-columns.js';
import type { DateLink, NamedDate } from './link-dates.js';
import type { NumberLink } from './link-numbers.js';
import { tokensOf } from './words.js';
import { nearestColumn, type LinkedQuestion } from './linked-question.js';
import { isTemporal, isYears, type QuestionColumn } from './question-table.js';
import type { Comparison, Condition } from './table-query.js';

const MAKING =
  /^(?:built|construction|constructed|manufactured?|manufacture|baujahr|herstellungsjahr|fabrication|fabricacion|construccion)$/;
/** What says that something was made, or how old it is. */
const MADE =
  /^(?:built|build|made|constructed|construction|manufactured?|older|newer|oldest|newest|old|new|baujahr\p{L}*|gebaut\p{L}*|hergestellt\p{L}*|construite?s?|fabriquee?s?|construid[oa]s?|fabricad[oa]s?)$/u;

const STARTS = /^(?:start|starts|begin|begins|from|von|beginn|anfang|debut|du|inicio|desde)$/;
const ENDS = /^(?:end|ends|to|until|till|bis|ende|fin|au|hasta)$/;
/** So much of a header as names it. */
const NAMED = 0.85;
const MOST_YEARS = 50;
const WEEK = /^(?:week|woche|semaine|semana)$/;

interface Chosen {
  readonly column: QuestionColumn;
  readonly mention: { readonly from: number; readonly to: number } | undefined;
  readonly isGuess: boolean;
}

/** Demands on a date; none where the table has no dates. */
export function dateConditions(question: LinkedQuestion, link: DateLink, rules: ClueRules): Clue[] {
  const within = withinPeriod(question, link, rules);
  if (within !== undefined) return within;
  const clue = dateCondition(question, link);
  return clue === undefined ? [] : [clue];
}

/** `on 16 December` where each row is of a time with a start and an end: the row whose time has that day. Undefined for other tables and dates. */
function withinPeriod(
  { tokens, table, columns }: LinkedQuestion,
  link: DateLink,
  { asked }: ClueRules,
): Clue[] | undefined {
  const period = periodOf(table.columns);
  if (period === undefined || link.op !== '=' || link.first !== link.last || link.first.day === undefined)
    return undefined;
  const { start, end } = period;
  const isOne = (column: QuestionColumn): boolean => column.name === start.name || column.name === end.name;
  // `the week that starts on 14 December` names one of both.
  const named = columns.filter(({ column, score, isSynonym }) => isOne(column) && score >= NAMED && !isSynonym);
  if (named.length > 0 || (asked !== undefined && isOne(asked))) return undefined;
  // What there was in a week was not all on one day of it.
  const week = tokens.findLastIndex(({ text }, at) => at < link.from && at >= link.from - 3 && WEEK.test(text));
  if (asked !== undefined && isAmount(asked, table) && week < 0) return [];
  const { month, day, year: said } = link.first;
  const year = said ?? onlyYearWith(month, day, start, end);
  if (year === undefined) return undefined;
  const value = iso(year, month, day);
  const assumption =
    said === undefined ? `The day is taken for ${value}, from “${start.label}” to “${end.label}”.` : undefined;
  const shared = { from: week < 0 ? link.from : week, to: link.to, quality: 1, assumption, mention: undefined };
  return [
    { ...shared, condition: { kind: 'compare', column: start, op: '<=', value } },
    { ...shared, condition: { kind: 'compare', column: end, op: '>=', value } },
  ];
}

/** The two columns of when something starts and ends, where a table has no other dates. */
function periodOf(columns: readonly QuestionColumn[]): { start: QuestionColumn; end: QuestionColumn } | undefined {
  const dates = columns.filter(({ type }) => type === 'date');
  const having = (words: RegExp): QuestionColumn | undefined =>
    dates.find((column) =>
      tokensOf(`${column.label} ${column.name.replaceAll('_', ' ')}`).some(({ text }) => words.test(text)),
    );
  const [start, end] = [having(STARTS), having(ENDS)];
  return dates.length === 2 && start !== undefined && end !== undefined && start.name !== end.name
    ? { start, end }
    : undefined;
}

/** The year in which a day is in the time of the table, where that is one alone. */
function onlyYearWith(
  month: number,
  day: number,
  { min }: QuestionColumn,
  { max }: QuestionColumn,
): number | undefined {
  if (typeof min !== 'string' || typeof max !== 'string') return undefined;
  const [first, last] = [Number(min.slice(0, 4)), Number(max.slice(0, 4))];
  const years = Array.from({ length: Math.min(last - first + 1, MOST_YEARS) }, (_, index) => first + index);
  const fitting = years.filter(
    (year) => iso(year, month, day) >= min.slice(0, 10) && iso(year, month, day) <= max.slice(0, 10),
  );
  return fitting.length === 1 ? fitting[0] : undefined;
}

function dateCondition(question: LinkedQuestion, link: DateLink): Clue | undefined {
  const chosen = chooseColumn(question, link, ({ type }) => type === 'date' || type === 'datetime');
  const condition = chosen === undefined ? undefined : conditionOf(chosen.column, link);
  return chosen === undefined || condition === undefined ? undefined : clueOf(link, chosen, condition);
}

/** A demand on a year; undefined where the table has no dates and no years. */
export function yearCondition(question: LinkedQuestion, link: NumberLink, _rules: ClueRules): Clue | undefined {
  const chosen = chooseColumn(question, link, isTemporal);
  if (chosen === undefined || isOfOtherYear(question, chosen.column)) return undefined;
  const { column } = chosen;
  const { op, value, high } = link;
  if (isYears(column)) {
    const condition: Condition =
      op === 'between' ? { kind: 'between', column, low: value, high: high! } : { kind: 'compare', column, op, value };
    return clueOf(link, chosen, condition);
  }
  if (op !== 'between') return clueOf(link, chosen, { kind: 'date_part', column, part: 'year', op, value });
  return clueOf(link, chosen, { kind: 'between', column, low: `${value}-01-01`, high: `${high!}-12-31` });
}

/** A year of construction is the age of what the row is about, whatever else is called like it. */
export function isOfMaking(column: QuestionColumn): boolean {
  return headerWords(column).some(({ text }) => MAKING.test(text));
}

/** `What did the services cost in 2019?` beside a year of construction and dates of services: not those of what was built then. */
function isOfOtherYear({ tokens, table }: LinkedQuestion, column: QuestionColumn): boolean {
  const isAlone = table.columns.filter(isTemporal).length === 1;
  return isOfMaking(column) && !isAlone && !tokens.some(({ text }) => MADE.test(text));
}

function chooseColumn(
  question: LinkedQuestion,
  link: { readonly from: number; readonly to: number },
  fits: (column: QuestionColumn) => boolean,
): Chosen | undefined {
  const mention = nearestColumn(question, link, 8, ({ column }) => fits(column));
  if (mention !== undefined) return { column: mention.column, mention, isGuess: false };
  const candidates = question.table.columns.filter(fits);
  const [first] = candidates;
  return first === undefined ? undefined : { column: first, mention: undefined, isGuess: candidates.length > 1 };
}

function clueOf(
  link: { readonly from: number; readonly to: number },
  { column, mention, isGuess }: Chosen,
  condition: Condition,
): Clue {
  const assumption = isGuess ? `The time is taken from “${column.label}”.` : undefined;
  return { from: link.from, to: link.to, condition, quality: isGuess ? 0.85 : 1, assumption, mention };
}

function conditionOf(column: QuestionColumn, { first, last, op }: DateLink): Condition | undefined {
  if (first.year === undefined || last.year === undefined) return ofEveryYear(column, first, last, op);
  const low = iso(first.year, first.month, first.day ?? 1);
  const high = iso(last.year, last.lastMonth, last.day ?? lastDay(last.year, last.lastMonth));
  if (op === '=')
    return low === high ? { kind: 'compare', column, op, value: low } : { kind: 'between', column, low, high };
  return { kind: 'compare', column, op, value: op === '>' || op === '<=' ? high : low };
}

/** Months and quarters of whatever year; a day of every year is no condition that statements have. */
function ofEveryYear(column: QuestionColumn, first: NamedDate, last: NamedDate, op: Comparison): Condition | undefined {
  if (first.day !== undefined || last.day !== undefined || first.year !== last.year) return undefined;
  const part = { kind: 'date_part' as const, column, part: 'month' as const };
  if (op !== '=') return { ...part, op, value: op === '>' || op === '<=' ? last.lastMonth : first.month };
  if (first.month === last.lastMonth) return { ...part, op, value: first.month };
  return first.month < last.lastMonth
    ? { ...part, op: 'between', value: first.month, high: last.lastMonth }
    : undefined;
}

function lastDay(year: number, month: number): number {
  return new Date(Date.UTC(year, month, 0)).getUTCDate();
}

function iso(year: number, month: number, day: number): string {
  return `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
}
