import type { ColumnLink } from './link-columns.js';
import type { LinkedQuestion } from './linked-question.js';
import type { QuestionColumn } from './question-table.js';
import type { Condition, TableQuery } from './table-query.js';
import { showsRowsCalled } from './row-kinds.js';
import { isFiller, tokensOf } from './words.js';

/** Mentions of columns that differ less fit equally. */
const EQUAL = 0.021;
/** What a word counts that names the rows, as their headers show. */
const OF_ROWS = 0.5;

/** How many words of the question a table has in headers, cells or its name; a header in other words counts less. */
export function anchorsOf({ tokens, columns, values, table }: LinkedQuestion): number {
  const names = new Set(tokensOf(`${table.title} ${table.name.replaceAll('_', ' ')}`).map(({ stem }) => stem));
  const isAt = (at: number) => (span: { readonly from: number; readonly to: number }) =>
    span.from <= at && at < span.to;
  const points = tokens.map(({ text, stem }, at) => {
    if (isFiller(text)) return 0;
    if (names.has(stem) || values.some(isAt(at))) return 1;
    const ofRows = showsRowsCalled(stem, table) ? OF_ROWS : 0;
    return Math.max(ofRows, ...columns.filter(isAt(at)).map(({ score }) => score));
  });
  return points.reduce((sum, point) => sum + point, 0);
}

/** A column that words of the question mean, and others that they fit as well. */
export interface UnclearColumn {
  readonly text: string;
  readonly chosen: QuestionColumn;
  readonly others: readonly QuestionColumn[];
}

/** Mentions that fit a column of the query and, as well, columns of the same type that it leaves out. */
export function unclearColumns({ tokens, columns }: LinkedQuestion, query: TableQuery): UnclearColumn[] {
  const used = new Set(columnsOf(query).map(({ name }) => name));
  const unclear = new Map<string, UnclearColumn>();
  for (const link of columns) {
    if (!used.has(link.column.name) || unclear.has(link.column.name)) continue;
    const others = columns.filter((other) => fitsAsWell(other, link) && !used.has(other.column.name));
    if (others.length === 0) continue;
    const text = tokens
      .slice(link.from, link.to)
      .map((token) => token.text)
      .join(' ');
    unclear.set(link.column.name, { text, chosen: link.column, others: others.map(({ column }) => column) });
  }
  return [...unclear.values()];
}

function fitsAsWell(other: ColumnLink, link: ColumnLink): boolean {
  return (
    other.from === link.from &&
    other.to === link.to &&
    other.column.type === link.column.type &&
    Math.abs(other.score - link.score) < EQUAL
  );
}

/** All columns that a query reads. */
export function columnsOf(query: TableQuery): QuestionColumn[] {
  const own = 'columns' in query ? [...query.columns] : [];
  if (query.kind === 'rows' && query.order !== undefined && query.order.by !== 'row') own.push(query.order.by);
  if (query.kind === 'neighbour' && query.by !== 'row') own.push(query.by);
  if (query.kind === 'groups') own.push(query.by);
  if (query.kind === 'verdict') own.push(query.column);
  if ('measure' in query && query.measure.column !== undefined) own.push(query.measure.column);
  const further =
    query.kind === 'neighbour' ? query.anchor : query.kind === 'difference' ? [...query.first, ...query.second] : [];
  return [...own, ...[...query.where, ...further].flatMap(columnsOfCondition)];
}

function columnsOfCondition(condition: Condition): QuestionColumn[] {
  if (condition.kind === 'any') return condition.of.flatMap(columnsOfCondition);
  return condition.kind === 'than' ? [condition.column, ...columnsOfCondition(condition.anchor)] : [condition.column];
}
