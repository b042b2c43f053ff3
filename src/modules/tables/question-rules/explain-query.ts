import { ENGLISH } from './phrases/english.js';
import type { TablePhrases } from './phrases/table-phrases.js';
import { isTemporal, type QuestionColumn } from './question-table.js';
import type { Condition, Literal, Measure, Order, TableQuery } from './table-query.js';

/** The explanation of a query, in a sentence. */
export function explainQuery(query: TableQuery): string {
  const among = `in “${query.table.name}”${whereText(query.where)}`;
  switch (query.kind) {
    case 'rows': {
      const shown = `${query.distinct ? 'the different values of ' : ''}${query.columns.map((column) => labelOf(column)).join(', ')}`;
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
      return `Shows ${query.columns.map((column) => labelOf(column)).join(', ')} of the row ${side} the one ${whereText(query.anchor).trim()} ${among}, by ${place}.`;
    }
    case 'difference':
      return `Computes the difference of ${measureText(query.measure)} between the rows ${whereText(query.first).trim()} and the rows ${whereText(query.second).trim()} ${among}.`;
    case 'exists':
      return `Says whether there is a row ${among}.`;
    case 'verdict':
      return `Says whether ${labelOf(query.column)} ${among} is ${query.above} or ${query.below} ${query.value}.`;
  }
}

export function measureText({ function: fn, column }: Measure, phrases = ENGLISH): string {
  const { functions } = phrases;
  return column === undefined ? functions.count : `${functions[fn]} ${labelOf(column, phrases)}`;
}

export function orderText(order: Order | undefined, phrases = ENGLISH): string {
  if (order === undefined) return '';
  const { by, descending } = order;
  if (by === 'row') return phrases.order('row', undefined, descending);
  return phrases.order(isTemporal(by) ? 'time' : 'amount', labelOf(by, phrases), descending);
}

export function whereText(where: readonly Condition[], phrases = ENGLISH): string {
  if (where.length === 0) return '';
  return phrases.where(where.map((condition) => conditionText(condition, phrases)).join(phrases.and));
}

function conditionText(condition: Condition, phrases: TablePhrases): string {
  if (condition.kind === 'any') return condition.of.map((one) => conditionText(one, phrases)).join(phrases.or);
  const label = labelOf(condition.column, phrases);
  const said = (value: Literal): string => valueText(value, phrases);
  switch (condition.kind) {
    case 'compare':
      return phrases.compare(label, condition.op, said(condition.value));
    case 'between':
      return phrases.between(label, said(condition.low), said(condition.high));
    case 'in':
      return phrases.oneOf(label, condition.values.map(said), condition.not);
    case 'has_text':
      return phrases.hasText(label, said(condition.text), condition.not);
    case 'date_part': {
      const { op, value, high } = condition;
      const part = phrases.datePart(condition.part, label);
      return op === 'between'
        ? phrases.between(part, String(value), String(high!))
        : phrases.compare(part, op, String(value));
    }
    case 'empty':
      return phrases.empty(label, condition.not);
    case 'than':
      return phrases.thanRow(label, condition.op, conditionText(condition.anchor, phrases));
    case 'columns':
      return phrases.compare(label, condition.op, labelOf(condition.other, phrases));
  }
}

export function labelOf({ label, name }: QuestionColumn, phrases = ENGLISH): string {
  return phrases.quote(label.replace(/\s+/g, ' ').slice(0, 80) || name);
}

function valueText(value: Literal, phrases: TablePhrases): string {
  return typeof value === 'string' ? phrases.quote(value.replace(/\s+/g, ' ').slice(0, 80)) : String(value);
}
