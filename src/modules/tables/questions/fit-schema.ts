import { countTokens } from '#libs/text';
import { rankColumns } from '../question-rules/rank-columns.js';
import type { QuestionColumn } from '../question-rules/question-table.js';
import type { CellValue } from '../engine/table-engine.port.js';
import type { ShownTable } from '../catalogue/document-tables.repository.js';
import type { LinkedTable } from './rule-readings.service.js';

/** The tables that a model is shown. */
export interface FittedSchema {
  /** One table each, as JSON on one line. */
  readonly lines: readonly string[];
  /** Their rows. */
  readonly parts: readonly ShownTable[];
  readonly tables: number;
  readonly leftOut: { readonly tables: number; readonly columns: number };
}

interface Size {
  readonly columns: number;
  readonly values: number;
}

export const MOST_TABLES = 6;
const TEXT_UNITS = 80;
/** The most relevant table may take so much of the room while there are others. */
const FIRST_SHARE = 0.6;
/** What a table is shown with, as far as there is room. */
const SIZES: readonly Size[] = [
  { columns: 40, values: 6 },
  { columns: 40, values: 3 },
  { columns: 20, values: 2 },
  { columns: 12, values: 1 },
  { columns: 8, values: 0 },
];

/**
 * The tables that a question can be about, the most relevant first, as far as `tokens` reach: fewer values go first, then columns that the
 * question does not name, then tables. A table whose rows are all in one that is shown is left out without being counted.
 * @param total Tables that there are.
 */
export function fitSchema(
  question: string,
  linked: readonly LinkedTable[],
  total: number,
  tokens: number,
): FittedSchema {
  const lines: string[] = [];
  const parts = new Set<ShownTable>();
  let [left, columns, covered, shown] = [tokens, 0, 0, 0];
  for (const table of linked) {
    if (table.parts.every((part) => parts.has(part))) {
      covered += 1;
      continue;
    }
    if (lines.length === MOST_TABLES) continue;
    const room = lines.length === 0 && linked.length > 1 ? left * FIRST_SHARE : left;
    const fitted = fitTable(question, table, room);
    if (fitted === undefined) continue;
    lines.push(fitted.line);
    left -= fitted.tokens;
    columns += fitted.leftOut;
    shown += 1;
    for (const part of table.parts) parts.add(part);
  }
  return { lines, parts: [...parts], tables: shown, leftOut: { tables: total - shown - covered, columns } };
}

function fitTable(
  question: string,
  table: LinkedTable,
  room: number,
): { readonly line: string; readonly tokens: number; readonly leftOut: number } | undefined {
  const ranked = rankColumns(question, table.table, table.found);
  for (const size of SIZES) {
    const kept = new Set(ranked.slice(0, size.columns).map(({ name }) => name));
    const line = JSON.stringify(describeTable(table, kept, size.values));
    const tokens = countTokens(line);
    if (tokens <= room) return { line, tokens, leftOut: table.table.columns.length - kept.size };
  }
  return undefined;
}

function describeTable({ table, found, samples }: LinkedTable, kept: ReadonlySet<string>, values: number): object {
  const columns = table.columns.filter(({ name }) => kept.has(name));
  return {
    table: table.name,
    title: cut(table.title),
    rows: table.rowCount,
    ...(table.hasTotals ? { has_totals: true } : {}),
    columns: columns.map((column) => {
      const own = found.filter((each) => each.column === column.name).map(({ value }): CellValue => value);
      return describeColumn(column, [...own, ...(samples.get(column.name) ?? [])], values);
    }),
  };
}

function describeColumn(
  { name, label, type, unit, min, max, nullable }: QuestionColumn,
  values: readonly CellValue[],
  most: number,
): object {
  const isText = type === 'text' || type === 'boolean';
  const shown = [...new Set(values.map((value) => cutCell(value)))].slice(0, most);
  return {
    name,
    header: cut(label),
    type,
    ...(unit === null ? {} : { unit: cut(unit) }),
    ...(nullable ? { has_nulls: true } : {}),
    ...(isText && shown.length > 0 ? { values: shown } : {}),
    ...(!isText && most > 0 ? { min: cutCell(min), max: cutCell(max) } : {}),
  };
}

function cutCell(value: CellValue): CellValue {
  return typeof value === 'string' ? cut(value) : value;
}

/** At most this many code units, no character cut in two. */
function cut(text: string): string {
  return text.length <= TEXT_UNITS ? text : `${text.slice(0, TEXT_UNITS).toWellFormed()}…`;
}
