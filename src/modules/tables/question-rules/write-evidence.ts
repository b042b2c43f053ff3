import type { QuestionColumn } from './question-table.js';
import type { Condition, QueryOf, TableQuery } from './table-query.js';
import {
  conditionOf,
  measureOf,
  named,
  notNull,
  numeric,
  orderOf,
  whereOf,
  writeStatement,
} from './write-statement.js';

/** Where a row is: the first columns of what evidence statements give. */
export const PLACE_COLUMNS = ['_document_id', '_sheet', '_row', '_text_start', '_text_end'] as const;

/** Rows of each group that are shown where there are several. */
const ROWS_OF_GROUP = 3;

/** Statements that give the rows that the answer of a query is made of. */
export interface EvidenceStatements {
  /** Each gives `PLACE_COLUMNS`; behind them the values that are shown, where the answer is rows or groups. In the order of the answer. */
  readonly rows: readonly string[];
  /** Gives one number: of how many rows the answer is made. */
  readonly count: string;
}

/** The statements, in the engine's dialect; they are read at the same moment as the query's own. */
export function writeEvidence(query: TableQuery): EvidenceStatements {
  switch (query.kind) {
    case 'rows':
      return ofRows(query);
    case 'measure':
      return ofMeasure(query);
    case 'groups':
      return ofGroups(query);
    case 'neighbour':
      return ofNeighbour(query);
    case 'difference': {
      const side = (conditions: readonly Condition[]): string => `(${conditions.map(conditionOf).join(' AND ')})`;
      return matching(query, [`(${side(query.first)} OR ${side(query.second)})`]);
    }
    case 'exists':
      return matching(query, []);
    case 'verdict':
      return matching(query, [notNull(query.column)]);
  }
}

function matching({ table, where }: TableQuery, further: readonly string[]): EvidenceStatements {
  const from = `FROM ${named(table.name)}${whereOf(table, where, further)}`;
  return { rows: [`SELECT ${PLACES} ${from} ORDER BY _row`], count: `SELECT count(*) ${from}` };
}

const PLACES = PLACE_COLUMNS.join(', ');

/** The columns of an answer: those that are asked for, and behind them the one by which rows are ordered. */
export function shownColumns({ columns, distinct, order }: QueryOf<'rows'>): readonly QuestionColumn[] {
  const by = order === undefined || order.by === 'row' || distinct ? undefined : order.by;
  return by === undefined || columns.some(({ name }) => name === by.name) ? columns : [...columns, by];
}

function ofRows(query: QueryOf<'rows'>): EvidenceStatements {
  const { table, columns, distinct, where, order, limit } = query;
  const shown = shownColumns(query)
    .map(({ name }) => named(name))
    .join(', ');
  const present = order === undefined || order.by === 'row' ? [] : [notNull(order.by)];
  const filled = distinct && columns.length === 1 ? [notNull(columns[0]!)] : [];
  const from = `FROM ${named(table.name)}${whereOf(table, where, [...present, ...filled])}`;
  const once = distinct ? ` QUALIFY row_number() OVER (PARTITION BY ${shown} ORDER BY _row, _document_id) = 1` : '';
  const cut = limit === undefined ? '' : ` LIMIT ${limit}`;
  const sorted = distinct ? '_row' : orderOf(order);
  return {
    rows: [`SELECT ${PLACES}, ${shown} ${from}${once} ORDER BY ${sorted}${cut}`],
    count: `SELECT count(*) ${from}`,
  };
}

function ofMeasure(query: QueryOf<'measure'>): EvidenceStatements {
  const { table, where, measure } = query;
  const { column } = measure;
  if (column === undefined) return matching(query, []);
  const all = matching(query, [notNull(column)]);
  if (measure.function !== 'min' && measure.function !== 'max') return all;
  const extreme = `SELECT ${measureOf(measure)} FROM ${named(table.name)}${whereOf(table, where)}`;
  // Of all rows that were looked at, those with the value itself.
  return { rows: matching(query, [`${numeric(column)} = (${extreme})`]).rows, count: all.count };
}

function ofGroups(query: QueryOf<'groups'>): EvidenceStatements {
  const { table, where, by, limit } = query;
  const group = named(by.name);
  const groups = writeStatement({ ...query, showMeasure: false });
  const from = `FROM ${named(table.name)}${whereOf(table, where, [notNull(by), `${group} IN (${groups})`])}`;
  const few = ` QUALIFY row_number() OVER (PARTITION BY ${group} ORDER BY _row, _document_id) <= ${ROWS_OF_GROUP}`;
  return {
    rows: [`SELECT ${PLACES}, ${group} ${from}${limit === 1 ? '' : few} ORDER BY _row`],
    count: `SELECT count(*) ${from}`,
  };
}

/** The row that is shown, and the one that it is beside. */
function ofNeighbour(query: QueryOf<'neighbour'>): EvidenceStatements {
  const shown = writeStatement(query);
  const anchors = matching({ ...query, where: query.anchor }, []);
  return {
    rows: [shown.replace(/^SELECT /, `SELECT ${PLACES}, `), anchors.rows[0]!],
    count: anchors.count,
  };
}
