import type { Clue, ClueRules } from './clue.js';
import { headerWords } from './link-columns.js';
import type { DateLink, NamedDate } from './link-dates.js';
import type { NumberLink } from './link-numbers.js';
import { nearestColumn, type LinkedQuestion } from './linked-question.js';
import { isTemporal, isYears, type QuestionColumn } from './question-table.js';
import type { Comparison, Condition } from './table-query.js';

const MAKING =
  /^(?:built|construction|constructed|manufactured?|manufacture|baujahr|herstellungsjahr|fabrication|fabricacion|construccion)$/;
/** What says that something was made, or how old it is. */
const MADE =
  /^(?:built|build|made|constructed|construction|manufactured?|older|newer|oldest|newest|old|new|baujahr\p{L}*|gebaut\p{L}*|hergestellt\p{L}*|construite?s?|fabriquee?s?|construid[oa]s?|fabricad[oa]s?)$/u;

interface Chosen {
  readonly column: QuestionColumn;
  readonly mention: { readonly from: number; readonly to: number } | undefined;
  readonly isGuess: boolean;
}

/** A demand on a date; undefined where the table has none. */
export function dateCondition(question: LinkedQuestion, link: DateLink, _rules: ClueRules): Clue | undefined {
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
