import type { CellValue } from '#libs/tabular';
import { labelOf, measureText, orderText, whereText } from './explain-query.js';
import type { QuestionColumn, QuestionTable } from './question-table.js';
import type { QueryOf, TableQuery } from './table-query.js';

/** A part of an answer, with the rows that it is made of: their places in the evidence, from 0. */
export interface AnswerPart {
  readonly text: string;
  readonly rows: readonly number[];
}

/** What a query gave. */
export interface QueryAnswer {
  /** Rows of the query's own statement. */
  readonly rows: readonly (readonly CellValue[])[];
  /** Whether there are more of them. */
  readonly truncated: boolean;
  /** Of the rows that are shown as evidence, what is behind their places. */
  readonly evidence: readonly (readonly CellValue[])[];
  /** Of how many rows the answer is made. */
  readonly counted: number;
}

/** Values of one answer that are listed. */
const MAX_LISTED = 20;
const MAX_CELL = 300;

/** The answer in words: what was asked for, its values, of how many rows. Undefined where there is no value to tell. */
export function describeAnswer(query: TableQuery, answer: QueryAnswer): readonly AnswerPart[] | undefined {
  if (answer.evidence.length === 0) return undefined;
  return partsOf(query, answer)?.map(({ text, rows }) => ({ text: withoutMarkers(text), rows }));
}

function partsOf(query: TableQuery, answer: QueryAnswer): AnswerPart[] | undefined {
  switch (query.kind) {
    case 'rows':
      return describeRows(query, answer);
    case 'groups':
      return describeGroups(query, answer);
    default: {
      const value = answer.rows[0]?.[0] ?? null;
      return value === null ? undefined : describeValue(query, value, answer);
    }
  }
}

/** Its name is for statements of SQL: people know a table by its title. */
const inTable = ({ title, name }: QuestionTable): string => `in the table “${title === '' ? name : title}”`;

type ValueQuery = Exclude<TableQuery, { readonly kind: 'rows' | 'groups' }>;

function describeValue(query: ValueQuery, value: CellValue, { evidence, counted }: QueryAnswer): AnswerPart[] {
  const cited = evidence.map((_, index) => index);
  const text = `${sentenceOf(query, value, counted)}${citedOf(cited.length, countedOf(query, cited.length, counted))}`;
  return [{ text, rows: cited }, end(text)];
}

/** Of a least or greatest value those rows are cited that have it, not all that were compared. */
function countedOf(query: ValueQuery, cited: number, counted: number): number {
  const isExtreme = query.kind === 'measure' && /^(?:min|max)$/.test(query.measure.function);
  return isExtreme || query.kind === 'neighbour' ? cited : counted;
}

function sentenceOf(query: ValueQuery, value: CellValue, counted: number): string {
  const among = `${inTable(query.table)}${whereText(query.where)}`;
  switch (query.kind) {
    case 'measure': {
      const { measure } = query;
      const isCount = measure.function === 'count' || measure.function === 'count_distinct';
      const unit = isCount ? null : (measure.column?.unit ?? null);
      const isExtreme = measure.function === 'min' || measure.function === 'max';
      if (!isCount && measure.column !== undefined && counted === 1)
        return `${labelOf(measure.column)} ${among} is ${shown(value, unit)}`;
      const from =
        measure.column === undefined ? '' : `, ${isExtreme ? 'among' : 'computed from'} ${rowsText(counted)}`;
      return `${capital(measureText(measure))} ${among} is ${shown(value, unit)}${from}`;
    }
    case 'difference': {
      const sides = `between the rows${whereText(query.first)} and the rows${whereText(query.second)}`;
      const unit = query.measure.column?.unit ?? null;
      return `The difference of ${measureText(query.measure)} ${sides} ${among} is ${shown(value, unit)}, computed from ${rowsText(counted)}`;
    }
    case 'neighbour': {
      const side = query.direction === 'next' ? 'after' : 'before';
      const labels = query.columns.map(labelOf).join(', ');
      return `${labels} of the row ${side} the one${whereText(query.anchor)} ${among} is ${shown(value, query.columns[0]!.unit)}`;
    }
    case 'exists':
      return `${capital(String(value))}: ${rowsText(counted)} ${among}`;
    case 'verdict':
      return `${labelOf(query.column)} ${among} compared with ${query.value}: ${shown(value, null)}`;
  }
}

function describeRows(query: QueryOf<'rows'>, { rows, truncated, evidence, counted }: QueryAnswer): AnswerPart[] {
  const { columns, order, table, where } = query;
  const labels = columns.map(labelOf).join(', ');
  const ordered = order === undefined ? '' : `${orderText(order)}`;
  const lead = `${labels} ${inTable(table)}${whereText(where)}${ordered}`;
  const listed = evidence.slice(0, MAX_LISTED).map((values) => rowText(columns, values));
  const compared =
    order === undefined ? '' : ` ${capital(rowsText(counted))} ${counted === 1 ? 'was' : 'were'} compared.`;
  if (listed.length === 1 && rows.length === 1) {
    return [
      { text: `${lead}${order === undefined ? ' is' : ':'} ${listed[0]!}`, rows: [0] },
      { text: `.${compared}`, rows: [] },
    ];
  }
  const parts = listed.map((text, index): AnswerPart => ({
    text: `${index === 0 ? `${lead}: ` : '; '}${text}`,
    rows: [index],
  }));
  const more = rows.length - listed.length;
  const rest = more > 0 ? `; and ${truncated ? 'at least ' : ''}${more} more` : '';
  return [...parts, { text: `${rest}.${compared}`, rows: [] }];
}

function describeGroups(query: QueryOf<'groups'>, { rows, truncated, evidence, counted }: QueryAnswer): AnswerPart[] {
  const { by, measure, table, where, descending, limit, showMeasure } = query;
  const among = `${inTable(table)}${whereText(where)}`;
  const side = descending === undefined ? '' : ` with the ${descending ? 'greatest' : 'least'}`;
  const lead =
    side !== '' && limit === 1
      ? `${labelOf(by)}${side} ${measureText(measure).replace(/^the /, '')} ${among}: `
      : `${capital(measureText(measure))} for each ${labelOf(by)} ${among}${side === '' ? '' : `, the ${descending === true ? 'greatest' : 'least'} first`}: `;
  const listed = rows.slice(0, MAX_LISTED);
  const parts = listed.map(([group, value], index): AnswerPart => {
    const own = evidence.flatMap(([other], at) => (other === group ? [at] : []));
    const unit = measure.function === 'count' ? null : (measure.column?.unit ?? null);
    const amount = showMeasure ? ` (${shown(value ?? null, unit)})` : '';
    return { text: `${index === 0 ? lead : '; '}${shown(group ?? null, by.unit)}${amount}`, rows: own };
  });
  const more = rows.length - listed.length;
  const rest = more > 0 ? `; and ${truncated ? 'at least ' : ''}${more} more` : '';
  const tail = `${rest}, computed from ${rowsText(counted)}${citedOf(evidence.length, counted)}.`;
  return [...parts, { text: tail, rows: [] }];
}

function rowText(columns: readonly QuestionColumn[], values: readonly CellValue[]): string {
  const [first, ...others] = columns.map((column, index) => ({
    column,
    text: shown(values[index] ?? null, column.unit),
  }));
  const beside = others.map(({ column, text }) => `${labelOf(column)} ${text}`).join(', ');
  return beside === '' ? first!.text : `${first!.text} (${beside})`;
}

/** That not all rows are cited. */
function citedOf(cited: number, counted: number): string {
  return counted > cited
    ? `; ${cited} of these rows ${cited === 1 ? 'is' : 'are'} cited and ${counted - cited} more are not`
    : '';
}

function rowsText(count: number): string {
  return count === 1 ? '1 row' : `${count} rows`;
}

/** A full stop, unless there is one. */
function end(text: string): AnswerPart {
  return { text: /[.!?]$/.test(text) ? '' : '.', rows: [] };
}

/** Headers and cells may hold what looks like the marker of a citation. */
function withoutMarkers(text: string): string {
  return text.replace(/\[(\d{1,3}(?:\s*,\s*\d{1,3})*)\]/g, '($1)');
}

/** A value as a sentence has it: on one line. */
function shown(value: CellValue, unit: string | null): string {
  if (value === null) return 'no value';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'number') return withUnit(numberText(value), unit);
  const line = value.replace(/\s+/g, ' ').trim();
  const text = line.length <= MAX_CELL ? line : `${line.slice(0, MAX_CELL - 1).replace(/[\ud800-\udbff]$/, '')}…`;
  return /^-?\d+(?:\.\d+)?$/.test(text) ? withUnit(text, unit) : text;
}

/** Without what sums of decimal fractions leave behind the last digit that counts. */
function numberText(value: number): string {
  return String(Number.isInteger(value) ? value : Number(value.toPrecision(12)));
}

function withUnit(text: string, unit: string | null): string {
  return unit === null ? text : unit === '%' ? `${text}%` : `${text} ${unit}`;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
