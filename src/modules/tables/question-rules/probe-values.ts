import type { QuestionTable } from './question-table.js';
import { literal, named } from './write-statement.js';
import { isMonth } from './link-dates.js';
import { isFiller, tokensOf, type Token } from './words.js';

/** Cells of a column that are looked at. */
export const MAX_PROBED_VALUES = 1000;
const MAX_COLUMNS = 40;
const MAX_CELL = 300;
/** Up to this many different values of a column, all are looked at: a word with a slip of the pen is found too. */
const FEW_VALUES = 300;
const MAX_WORDS = 40;

/** A statement for the cells of a table that have words of a question: columns `name` and `value`; undefined when none can have. */
export function probeStatement(question: string, table: QuestionTable): string | undefined {
  const words = tokensOf(question).filter(({ text }) => !isFiller(text) && text.length > 1);
  const starts = [...new Set(words.map(startOf))];
  const pattern = starts
    .slice(0, MAX_WORDS)
    .map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join('|');
  const columns = table.columns.filter(({ type }) => type === 'text').slice(0, MAX_COLUMNS);
  if (columns.length === 0) return undefined;
  const parts = columns.flatMap((column) => {
    const name = named(column.name);
    const isFew = column.distinct !== null && column.distinct <= FEW_VALUES;
    if (!isFew && pattern === '') return [];
    const fits = isFew ? '' : ` AND regexp_matches(strip_accents(lower(${name})), ${literal(pattern)})`;
    const cells = `SELECT DISTINCT ${name} AS value FROM ${named(table.name)} WHERE length(${name}) <= ${MAX_CELL}${fits} LIMIT ${MAX_PROBED_VALUES}`;
    return [`SELECT ${literal(column.name)} AS name, value FROM (${cells})`];
  });
  return parts.length === 0 ? undefined : parts.join(' UNION ALL ');
}

/** What the cells begin with that have a word; months are written short as well. */
function startOf({ text, stem }: Token): string {
  if (isMonth(stem)) return stem.slice(0, 3);
  return stem.length >= 4 && text.startsWith(stem) ? stem : text;
}
