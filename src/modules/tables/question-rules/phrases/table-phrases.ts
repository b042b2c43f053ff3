import type { Aggregate, Comparison } from '../table-query.js';

/** What order values of a column are in. */
export type OrderKind = 'row' | 'time' | 'amount';

/** Phrases for a query and its answer in one language. Labels, values and parts are passed as finished texts; nothing begins with a capital. */
export interface TablePhrases {
  /** BCP 47. */
  readonly language: string;
  readonly and: string;
  readonly or: string;
  readonly yes: string;
  readonly no: string;
  readonly noValue: string;
  /** Of a column behind it, but for the number of rows. */
  readonly functions: Readonly<Record<Aggregate, string>>;
  /** Between what is asked for and the one value that it has. */
  readonly leadsTo: string;
  quote(text: string): string;
  inTable(title: string): string;
  /** Behind the table; of conditions that are joined. */
  where(conditions: string): string;
  /** With a value, or with another column of the row. */
  compare(label: string, op: Comparison, value: string): string;
  between(label: string, low: string, high: string): string;
  oneOf(label: string, values: readonly string[], not: boolean): string;
  hasText(label: string, text: string, not: boolean): string;
  datePart(part: 'year' | 'month', label: string): string;
  empty(label: string, not: boolean): string;
  /** Above or below the value of another row. */
  thanRow(label: string, op: '>' | '<', anchor: string): string;
  /** Behind a comma; no label for the order of the table. */
  order(kind: OrderKind, label: string | undefined, descending: boolean): string;
  rows(count: number): string;
  /** A computed value; `measure` begins the sentence. */
  computed(measure: string, among: string, value: string): string;
  /** Of how many rows a value is the least or greatest one, or is computed. */
  from(rows: string, isExtreme: boolean): string;
  difference(measure: string, first: string, second: string, among: string, value: string): string;
  neighbour(labels: string, isNext: boolean, anchor: string, among: string): string;
  compared(label: string, among: string, value: number): string;
  wereCompared(rows: string, count: number): string;
  more(count: number, isAtLeast: boolean): string;
  /** The group that has most or least. */
  extremeGroup(by: string, measure: string, isGreatest: boolean, among: string): string;
  groups(by: string, measure: string, among: string, isGreatestFirst: boolean | undefined): string;
  /** That not all rows are cited. */
  cited(count: number, rest: number): string;
}

/** Comparisons where no word of a language fits every type of a column. */
export const SIGNS = { '=': '=', '<>': '≠', '>': '>', '>=': '≥', '<': '<', '<=': '≤' } as const;
