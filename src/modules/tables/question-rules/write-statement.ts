import type { QuestionColumn, QuestionTable } from './question-table.js';
import { isNumeric, isTemporal } from './question-table.js';
import type { Condition, Literal, Measure, Order, QueryOf, TableQuery } from './table-query.js';

/** The statement of a query, in the engine's dialect; values are quoted literals. */
export function writeStatement(query: TableQuery): string {
  switch (query.kind) {
    case 'rows':
      return rowsStatement(query);
    case 'measure':
      return `SELECT ${measureOf(query.measure)} AS ${measureName(query.measure)} FROM ${named(query.table.name)}${whereOf(query.table, query.where)}`;
    case 'groups':
      return groupsStatement(query);
    case 'neighbour':
      return neighbourStatement(query);
    case 'difference':
      return differenceStatement(query);
    case 'exists':
      return `SELECT CASE WHEN count(*) > 0 THEN 'yes' ELSE 'no' END AS answer FROM ${named(query.table.name)}${whereOf(query.table, query.where)}`;
    case 'verdict':
      return verdictStatement(query);
  }
}

/** A name as statements have it. */
export function named(name: string): string {
  return /^[a-z_][a-z0-9_]*$/.test(name) ? name : `"${name.replaceAll('"', '""')}"`;
}

export function literal(value: Literal): string {
  return typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value);
}

function rowsStatement({ table, columns, distinct, where, order, limit }: QueryOf<'rows'>): string {
  const shown = columns.map(({ name }) => named(name)).join(', ');
  const present = order === undefined || order.by === 'row' ? [] : [notNull(order.by)];
  const filled = distinct && columns.length === 1 ? [notNull(columns[0]!)] : [];
  const from = `FROM ${named(table.name)}${whereOf(table, where, [...present, ...filled])}`;
  const cut = limit === undefined ? '' : ` LIMIT ${limit}`;
  // The first of its rows places each value.
  if (distinct) return `SELECT ${shown} ${from} GROUP BY ${shown} ORDER BY min(_row)${cut}`;
  return `SELECT ${shown} ${from} ORDER BY ${orderOf(order)}${cut}`;
}

export function orderOf(order: Order | undefined): string {
  if (order === undefined || order.by === 'row') return order?.descending === true ? '_row DESC' : '_row';
  // The last of several rows of one day is the last one in the table.
  const ties = order.descending && isTemporal(order.by) ? '_row DESC' : '_row';
  return `${numeric(order.by)}${order.descending ? ' DESC' : ''}, ${ties}`;
}

function groupsStatement({
  table,
  where,
  by,
  measure,
  descending,
  limit,
  showMeasure,
  having,
}: QueryOf<'groups'>): string {
  const group = named(by.name);
  const value = measureOf(measure);
  const shown = showMeasure ? `${group}, ${value} AS ${measureName(measure)}` : group;
  const order = descending === undefined ? 'min(_row)' : `${value}${descending ? ' DESC' : ''}, min(_row)`;
  const demanded = having === undefined ? '' : ` HAVING ${value} ${having.op} ${having.value}`;
  const cut = limit === undefined ? '' : ` LIMIT ${limit}`;
  return `SELECT ${shown} FROM ${named(table.name)}${whereOf(table, where, [notNull(by)])} GROUP BY ${group}${demanded} ORDER BY ${order}${cut}`;
}

function neighbourStatement({ table, columns, where, anchor, by, direction }: QueryOf<'neighbour'>): string {
  const place = by === 'row' ? '_row' : named(by.name);
  const isNext = direction === 'next';
  const edge = `(SELECT ${isNext ? 'max' : 'min'}(${place}) FROM ${named(table.name)}${whereOf(table, anchor)})`;
  const shown = columns.map(({ name }) => named(name)).join(', ');
  const beyond = `${place} ${isNext ? '>' : '<'} ${edge}`;
  return `SELECT ${shown} FROM ${named(table.name)}${whereOf(table, where, [beyond])} ORDER BY ${place}${isNext ? '' : ' DESC'}, _row LIMIT 1`;
}

function differenceStatement({ table, where, measure, first, second, signed }: QueryOf<'difference'>): string {
  const [one, other] = [first, second].map(
    (side) => `${measureOf(measure)} FILTER (WHERE ${side.map(conditionOf).join(' AND ')})`,
  );
  const gap = signed ? `${other!} - ${one!}` : `abs(${one!} - ${other!})`;
  return `SELECT ${gap} AS difference FROM ${named(table.name)}${whereOf(table, where)}`;
}

function verdictStatement({ table, where, column, value, above, below }: QueryOf<'verdict'>): string {
  const verdict = `CASE WHEN ${numeric(column)} > ${value} THEN ${literal(above)} WHEN ${numeric(column)} < ${value} THEN ${literal(below)} ELSE 'equal' END`;
  return `SELECT ${verdict} AS answer FROM ${named(table.name)}${whereOf(table, where, [notNull(column)])} ORDER BY _row`;
}

export function measureOf({ function: fn, column }: Measure): string {
  if (column === undefined) return 'count(*)';
  if (fn === 'count_distinct') return `count(DISTINCT ${named(column.name)})`;
  return `${fn}(${fn === 'count' ? named(column.name) : numeric(column)})`;
}

function measureName({ function: fn, column }: Measure): string {
  return column === undefined || fn === 'count' || fn === 'count_distinct' ? 'count' : named(`${fn}_${column.name}`);
}

/** Rows that sum up others are left out. */
export function whereOf(table: QuestionTable, where: readonly Condition[], further: readonly string[] = []): string {
  const totals = table.hasTotals ? ['NOT _total'] : [];
  const all = [...where.map(conditionOf), ...further, ...totals];
  return all.length === 0 ? '' : ` WHERE ${all.join(' AND ')}`;
}

export function conditionOf(condition: Condition): string {
  switch (condition.kind) {
    case 'compare':
      return `${comparable(condition.column, condition.value)} ${condition.op} ${literal(condition.value)}`;
    case 'between':
      return `${comparable(condition.column, condition.low)} BETWEEN ${literal(condition.low)} AND ${literal(condition.high)}`;
    case 'in':
      return inList(condition.column, condition.values, condition.not);
    case 'has_text': {
      const found = `contains(lower(${textOf(condition.column)}), ${literal(condition.text.toLowerCase())})`;
      return condition.not ? `NOT coalesce(${found}, false)` : found;
    }
    case 'date_part':
      return `${condition.part}(${named(condition.column.name)}) ${condition.op === 'between' ? `BETWEEN ${condition.value} AND ${condition.high!}` : `${condition.op} ${condition.value}`}`;
    case 'empty':
      return `${named(condition.column.name)} IS ${condition.not ? 'NOT ' : ''}NULL`;
    case 'than': {
      const value = numeric(condition.column);
      const other = `SELECT max(${value}) FROM ${named(condition.table.name)}${whereOf(condition.table, [condition.anchor])}`;
      return `${value} ${condition.op} (${other})`;
    }
    case 'columns':
      return `${numeric(condition.column)} ${condition.op} ${numeric(condition.other)}`;
    case 'any':
      return `(${condition.of.map(conditionOf).join(' OR ')})`;
  }
}

function inList(column: QuestionColumn, values: readonly string[], not: boolean): string {
  const name = textOf(column);
  const [only] = values;
  if (values.length === 1) return not ? `${name} IS DISTINCT FROM ${literal(only!)}` : `${name} = ${literal(only!)}`;
  const found = `${name} IN (${values.map(literal).join(', ')})`;
  return not ? `NOT coalesce(${found}, false)` : found;
}

function comparable(column: QuestionColumn, value: Literal): string {
  return typeof value === 'number' ? numeric(column) : named(column.name);
}

/** Of a column of words the first number in each. */
export function numeric(column: QuestionColumn): string {
  const name = named(column.name);
  if (column.type !== 'text') return name;
  return `TRY_CAST(replace(regexp_extract(${name}, '-?[0-9][0-9,]*([.][0-9]+)?'), ',', '') AS DOUBLE)`;
}

function textOf(column: QuestionColumn): string {
  return column.type === 'text' ? named(column.name) : `CAST(${named(column.name)} AS VARCHAR)`;
}

export function notNull(column: QuestionColumn): string {
  return `${isNumeric(column) || column.type !== 'text' ? named(column.name) : numericOrName(column)} IS NOT NULL`;
}

function numericOrName(column: QuestionColumn): string {
  return named(column.name);
}
