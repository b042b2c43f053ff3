import type { QuestionColumn } from './question-table.js';
import type { Aggregate, Comparison, Condition, Literal, Measure, TableQuery } from './table-query.js';

export const PART_TASKS = ['rows', 'measure', 'groups', 'exists'] as const;
export const PART_FUNCTIONS = [
  'count',
  'count_distinct',
  'sum',
  'avg',
  'min',
  'max',
  'median',
] as const satisfies readonly Aggregate[];
export const PART_OPERATORS = [
  'eq',
  'ne',
  'gt',
  'gte',
  'lt',
  'lte',
  'between',
  'in',
  'nin',
  'contains',
  'contains_not',
  'empty',
  'not_empty',
] as const;

/** A demand on rows. */
export interface ConditionParts {
  /** Header of the column. */
  readonly column: string;
  readonly operator: (typeof PART_OPERATORS)[number];
  /** Two for `between`, none for `empty` and `not_empty`. */
  readonly values: readonly Literal[];
}

/** What a query reads, in parts that an interface can put into words of its own. */
export interface QueryParts {
  readonly task: (typeof PART_TASKS)[number];
  /** What is computed of the rows; null: nothing. */
  readonly measure: { readonly function: Aggregate; readonly column: string | null } | null;
  /** Headers of the columns that are shown; of `groups` the one by which rows are grouped. */
  readonly columns: readonly string[];
  /** All of these hold for the rows. */
  readonly conditions: readonly ConditionParts[];
  /** By what rows or groups are ordered; `column` is null where that is what is computed. Null: as in the table. */
  readonly order: { readonly column: string | null; readonly descending: boolean } | null;
  /** Only the first ones; null: all. */
  readonly limit: number | null;
}

const OPERATORS: Readonly<Record<Comparison, ConditionParts['operator']>> = {
  '=': 'eq',
  '<>': 'ne',
  '>': 'gt',
  '>=': 'gte',
  '<': 'lt',
  '<=': 'lte',
};

/** Null for a query that the parts do not cover. */
export function partsOfQuery(query: TableQuery): QueryParts | null {
  const conditions: ConditionParts[] = [];
  for (const condition of query.where) {
    const part = conditionOf(condition);
    if (part === undefined) return null;
    conditions.push(part);
  }
  const whole = { measure: null, columns: [], conditions, order: null, limit: null };
  switch (query.kind) {
    case 'rows': {
      const { order, limit = null } = query;
      const columns = query.columns.map(headerOf);
      if (order === undefined) return limit === null ? { ...whole, task: 'rows', columns } : null;
      // The first and the last row of a table are no greatest and no least one.
      if (order.by === 'row') return null;
      const by = { column: headerOf(order.by), descending: order.descending };
      return { ...whole, task: 'rows', columns, order: by, limit };
    }
    case 'measure':
      return { ...whole, task: 'measure', measure: measureOf(query.measure) };
    case 'groups': {
      const { descending, limit = null } = query;
      if (query.having !== undefined || (descending === undefined && limit !== null)) return null;
      const order = descending === undefined ? null : { column: null, descending };
      return {
        ...whole,
        task: 'groups',
        measure: measureOf(query.measure),
        columns: [headerOf(query.by)],
        order,
        limit,
      };
    }
    case 'exists':
      return { ...whole, task: 'exists' };
    default:
      return null;
  }
}

function measureOf({ function: fn, column }: Measure): QueryParts['measure'] {
  return column === undefined ? { function: 'count', column: null } : { function: fn, column: headerOf(column) };
}

function conditionOf(condition: Condition): ConditionParts | undefined {
  switch (condition.kind) {
    case 'compare':
      return { column: headerOf(condition.column), operator: OPERATORS[condition.op], values: [condition.value] };
    case 'between':
      return { column: headerOf(condition.column), operator: 'between', values: [condition.low, condition.high] };
    case 'in':
      return {
        column: headerOf(condition.column),
        operator: condition.not ? 'nin' : 'in',
        values: [...condition.values],
      };
    case 'has_text': {
      const operator = condition.not ? 'contains_not' : 'contains';
      return { column: headerOf(condition.column), operator, values: [condition.text] };
    }
    case 'empty':
      return { column: headerOf(condition.column), operator: condition.not ? 'not_empty' : 'empty', values: [] };
    default:
      return undefined;
  }
}

function headerOf({ label, name }: QuestionColumn): string {
  return label.replace(/\s+/g, ' ').trim() || name;
}
