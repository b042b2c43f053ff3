import { linkDates } from '../link-dates.js';
import type { QuestionColumn, QuestionTable } from '../question-table.js';
import { monthAt, onlyYear } from '../rosters/named-days.js';
import type { ChosenColumn } from '../rosters/roster.js';
import { tokensOf, type Token } from '../words.js';

const TO = /^(?:to|until|till|through|bis|a|au|al|hasta|jusqu)$/;
/** One column may be called like some months by chance. */
const LEAST_SEASONS = 2;

/** The columns of a price list that are for some months of the year each, where the question names a month that one of them alone is for. */
export function seasonsOf(
  tokens: readonly Token[],
  question: string,
  table: QuestionTable,
): { readonly columns: readonly QuestionColumn[]; readonly chosen: ChosenColumn } | undefined {
  const seasons = table.columns.flatMap((column) => {
    const months = monthsOfHeader(column.label);
    return months === undefined ? [] : [{ column, months }];
  });
  if (seasons.length < LEAST_SEASONS) return undefined;
  const [date, ...others] = linkDates(tokens);
  if (date === undefined || others.length > 0 || date.op !== '=' || date.first !== date.last) return undefined;
  const { year, month, lastMonth } = date.first;
  const titled = onlyYear(tokensOf(`${table.title} ${table.name.replaceAll('_', ' ')}`));
  if (month !== lastMonth || (year !== undefined && year !== titled)) return undefined;
  const fitting = seasons.filter(({ months }) => months.has(month));
  const [found] = fitting;
  if (found === undefined || fitting.length > 1) return undefined;
  const text = question.slice(tokens[date.from]!.start, tokens[date.to - 1]!.end);
  const assumption = `“${text}” is taken for “${found.column.label}”.`;
  return {
    columns: seasons.map(({ column }) => column),
    chosen: { from: date.from, to: date.to, column: found.column, assumption },
  };
}

/** `Low season Nov-Mar`, `Mai bis September`; with days of the month it is not known for the whole of it. */
function monthsOfHeader(label: string): ReadonlySet<number> | undefined {
  const tokens = tokensOf(label);
  if (tokens.some(({ text }) => /^\d{1,2}(?:st|nd|rd|th)?$/.test(text))) return undefined;
  for (let at = 0; at < tokens.length; at += 1) {
    const first = monthAt(tokens, at);
    const isJoined = TO.test(tokens[at + 1]?.text ?? '');
    const end = isJoined ? at + 2 : at + 1;
    const last = first === undefined ? undefined : monthAt(tokens, end);
    if (first === undefined || last === undefined) continue;
    const between = label.slice(tokens[at]!.end, tokens[end]!.start);
    if (!isJoined && !/^\.?\s*[-‐‑–—]\s*$/u.test(between)) continue;
    const length = ((last - first + 12) % 12) + 1;
    return new Set(Array.from({ length }, (_, index) => ((first - 1 + index) % 12) + 1));
  }
  return undefined;
}
