import type { Clue, ClueRules } from './clue.js';
import type { DateLink } from './link-dates.js';
import type { NumberLink } from './link-numbers.js';
import { nearestColumn, type LinkedQuestion } from './linked-question.js';
import { isTemporal, isYears, type QuestionColumn } from './question-table.js';
import type { Condition } from './table-query.js';

interface Chosen {
  readonly column: QuestionColumn;
  readonly mention: { readonly from: number; readonly to: number } | undefined;
  readonly isGuess: boolean;
}

/** A demand on a date; undefined where the table has none. */
export function dateCondition(question: LinkedQuestion, link: DateLink, _rules: ClueRules): Clue | undefined {
  const chosen = chooseColumn(question, link, ({ type }) => type === 'date' || type === 'datetime');
  return chosen === undefined ? undefined : clueOf(link, chosen, conditionOf(chosen.column, link));
}

/** A demand on a year; undefined where the table has no dates and no years. */
export function yearCondition(question: LinkedQuestion, link: NumberLink, _rules: ClueRules): Clue | undefined {
  const chosen = chooseColumn(question, link, isTemporal);
  if (chosen === undefined) return undefined;
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

function conditionOf(column: QuestionColumn, { year, month, day, op }: DateLink): Condition {
  if (year === undefined) return { kind: 'date_part', column, part: 'month', op, value: month };
  const first = iso(year, month, 1);
  const last = iso(year, month, new Date(Date.UTC(year, month, 0)).getUTCDate());
  if (day !== undefined) return { kind: 'compare', column, op, value: iso(year, month, day) };
  if (op === '=') return { kind: 'between', column, low: first, high: last };
  return { kind: 'compare', column, op, value: op === '>' || op === '<=' ? last : first };
}

function iso(year: number, month: number, day: number): string {
  return `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
}
