import { isTemporal, type QuestionColumn } from './question-table.js';
import type { Condition, Literal, Measure, Order, TableQuery } from './table-query.js';

const OPS = {
  '=': 'is',
  '<>': 'is not',
  '>': 'is above',
  '>=': 'is at least',
  '<': 'is below',
  '<=': 'is at most',
} as const;
const FUNCTIONS = {
  count: 'the number of rows',
  count_distinct: 'the number of different values of',
  sum: 'the sum of',
  avg: 'the average of',
  min: 'the least value of',
  max: 'the greatest value of',
  median: 'the median of',
} as const;

/** What a query does, in a sentence. */
export function explainQuery(query: TableQuery): string {
  const among = `in “${query.table.name}”${whereText(query.where)}`;
  switch (query.kind) {
    case 'rows': {
      const shown = `${query.distinct ? 'the different values of ' : ''}${query.columns.map(labelOf).join(', ')}`;
      const rows =
        query.limit === undefined ? '' : query.limit === 1 ? ' of the first row' : ` of the first ${query.limit} rows`;
      return `Shows ${shown}${rows} ${among}${orderText(query.order)}.`;
    }
    case 'measure':
      return `Computes ${measureText(query.measure)} ${among}.`;
    case 'groups': {
      const order = query.descending === undefined ? '' : `, the ${query.descending ? 'greatest' : 'least'} first`;
      const cut =
        query.limit === undefined
          ? ''
          : `, ${query.limit === 1 ? 'the first one only' : `the first ${query.limit} only`}`;
      return `Computes ${measureText(query.measure)} for each ${labelOf(query.by)} ${among}${order}${cut}.`;
    }
    case 'neighbour': {
      const place = query.by === 'row' ? 'the order of the table' : `the order of ${labelOf(query.by)}`;
      const side = query.direction === 'next' ? 'after' : 'before';
      return `Shows ${query.columns.map(labelOf).join(', ')} of the row ${side} the one ${whereText(query.anchor).trim()} ${among}, by ${place}.`;
    }
    case 'difference':
      return `Computes the difference of ${measureText(query.measure)} between the rows ${whereText(query.first).trim()} and the rows ${whereText(query.second).trim()} ${among}.`;
    case 'exists':
      return `Tells whether there is a row ${among}.`;
    case 'verdict':
      return `Tells whether ${labelOf(query.column)} ${among} is ${query.above} or ${query.below} ${query.value}.`;
  }
}

export function measureText({ function: fn, column }: Measure): string {
  return column === undefined ? FUNCTIONS.count : `${FUNCTIONS[fn]} ${labelOf(column)}`;
}

export function orderText(order: Order | undefined): string {
  if (order === undefined) return '';
  if (order.by === 'row') return order.descending ? ', the last row of the table first' : ', in the order of the table';
  const [low, high] = isTemporal(order.by) ? ['earliest', 'latest'] : ['least', 'greatest'];
  return `, by ${labelOf(order.by)}, the ${order.descending ? high : low} first`;
}

export function whereText(where: readonly Condition[]): string {
  return where.length === 0 ? '' : ` where ${where.map(conditionText).join(' and ')}`;
}

function conditionText(condition: Condition): string {
  switch (condition.kind) {
    case 'compare':
      return `${labelOf(condition.column)} ${OPS[condition.op]} ${valueText(condition.value)}`;
    case 'between':
      return `${labelOf(condition.column)} is from ${valueText(condition.low)} to ${valueText(condition.high)}`;
    case 'in':
      return `${labelOf(condition.column)} is ${condition.not ? 'not ' : ''}${condition.values.map(valueText).join(condition.not ? ' nor ' : ' or ')}`;
    case 'has_text':
      return `${labelOf(condition.column)} ${condition.not ? 'does not contain' : 'contains'} ${valueText(condition.text)}`;
    case 'date_part':
      return `the ${condition.part} of ${labelOf(condition.column)} ${condition.op === 'between' ? `is from ${condition.value} to ${condition.high!}` : `${OPS[condition.op]} ${condition.value}`}`;
    case 'empty':
      return `${labelOf(condition.column)} is ${condition.not ? 'not ' : ''}empty`;
    case 'than':
      return `${labelOf(condition.column)} ${OPS[condition.op]} that of the row where ${conditionText(condition.anchor)}`;
    case 'columns':
      return `${labelOf(condition.column)} ${OPS[condition.op]} ${labelOf(condition.other)}`;
    case 'any':
      return condition.of.map(conditionText).join(' or ');
  }
}

export function labelOf({ label, name }: QuestionColumn): string {
  return `“${label.replace(/\s+/g, ' ').slice(0, 80) || name}”`;
}

function valueText(value: Literal): string {
  return typeof value === 'string' ? `“${value.replace(/\s+/g, ' ').slice(0, 80)}”` : String(value);
}
