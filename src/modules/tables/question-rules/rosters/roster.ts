import type { QuestionColumn, QuestionTable } from '../question-table.js';
import { tokensOf, type Token } from '../words.js';
import {
  dayMentions,
  dayOfHeader,
  leadsAway,
  onlyMonth,
  onlyYear,
  weekdayOfDate,
  type DayMention,
  type NamedDay,
} from './named-days.js';

/** A table with a column for each day, and what a question says of its days. */
export interface Roster {
  readonly days: readonly QuestionColumn[];
  /** The day that the question names, where exactly one column is of it. */
  readonly chosen: ChosenColumn | undefined;
}

/** Words of a question that choose one of several columns of a kind: that of a day, or of a time that something is had for. */
export interface ChosenColumn {
  readonly from: number;
  readonly to: number;
  readonly column: QuestionColumn;
  /** Undefined where the header says all that the question says. */
  readonly assumption: string | undefined;
}

interface DayColumn {
  readonly column: QuestionColumn;
  readonly named: NamedDay;
}

/** Fewer columns may be called like days by chance. */
const LEAST_DAYS = 3;
/** Bare numbers are days only where a month is over as many of them as a week has days. */
const LEAST_NUMBERS = 7;

/** Undefined for a table that has no columns of days. */
export function rosterOf(tokens: readonly Token[], question: string, table: QuestionTable): Roster | undefined {
  const title = tokensOf(`${table.title} ${table.name.replaceAll('_', ' ')}`);
  const days = dayColumns(table, title);
  if (days.length === 0) return undefined;
  const mentions = dayMentions(tokens);
  const [mention] = mentions;
  const isOne = mention !== undefined && mentions.length === 1 && !leadsAway(tokens, mention);
  const fitting = isOne ? days.filter(({ named }) => isSameDay(mention, named, onlyYear(title))) : [];
  const [found] = fitting;
  const columns = days.map(({ column }) => column);
  if (found === undefined || mention === undefined || fitting.length > 1) return { days: columns, chosen: undefined };
  const { from, to } = mention;
  const text = question.slice(tokens[from]!.start, tokens[to - 1]!.end);
  const isSaid = saysAll(found.named, mention.named);
  const assumption = isSaid ? undefined : `“${text}” is taken for “${found.column.label}”.`;
  return { days: columns, chosen: { from, to, column: found.column, assumption } };
}

function dayColumns(table: QuestionTable, title: readonly Token[]): DayColumn[] {
  const month = onlyMonth(title);
  const all = table.columns.flatMap((column): DayColumn[] => {
    const named = dayOfHeader(tokensOf(column.label));
    return named === undefined ? [] : [{ column, named: withMonth(named, month) }];
  });
  const dated = all.filter(({ named }) => named.weekday !== undefined || named.month !== undefined);
  const isOfNumbers =
    dated.every(({ named }) => named.weekday === undefined) &&
    dated.some(({ column }) => /^\d+$/.test(column.label.trim()));
  return dated.length >= (isOfNumbers ? LEAST_NUMBERS : LEAST_DAYS) ? dated : [];
}

/** The month over the table is that of its days. */
function withMonth(named: NamedDay, month: number | undefined): NamedDay {
  return named.day === undefined || named.month !== undefined ? named : { ...named, month };
}

function isSameDay({ named: asked, isEach }: DayMention, head: NamedDay, yearOfTable: number | undefined): boolean {
  if (asked.weekday !== undefined && head.weekday !== undefined && asked.weekday !== head.weekday) return false;
  // Every Friday is no Friday of one week.
  if (isEach && head.day !== undefined) return false;
  const year = head.year ?? yearOfTable;
  if (asked.day === undefined) {
    if (head.weekday !== undefined) return true;
    return year !== undefined && weekdayOf(head, year) === asked.weekday;
  }
  if (head.day !== asked.day || head.month !== asked.month) return false;
  if (asked.year !== undefined && year !== undefined && asked.year !== year) return false;
  if (asked.year !== undefined && year === undefined && head.weekday === undefined) return false;
  const known = asked.year ?? year;
  const weekday = asked.weekday ?? (year === undefined ? head.weekday : undefined);
  return known === undefined || weekday === undefined || weekdayOf(head, known) === weekday;
}

function weekdayOf({ day, month }: NamedDay, year: number): number | undefined {
  return day === undefined || month === undefined ? undefined : weekdayOfDate(year, month, day);
}

/** Whether what a header says of its day is all in the question. */
function saysAll(head: NamedDay, asked: NamedDay): boolean {
  return head.day === undefined || (asked.day === head.day && asked.month === head.month);
}
