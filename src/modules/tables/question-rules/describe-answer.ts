import type { CellValue } from '#libs/tabular';
import { labelOf, measureText, orderText, whereText } from './explain-query.js';
import { ENGLISH } from './phrases/english.js';
import type { TablePhrases } from './phrases/table-phrases.js';
import type { QuestionColumn } from './question-table.js';
import type { Condition, Measure, QueryOf, TableQuery } from './table-query.js';
import { shownColumns } from './write-evidence.js';

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
export function describeAnswer(
  query: TableQuery,
  answer: QueryAnswer,
  phrases: TablePhrases = ENGLISH,
): readonly AnswerPart[] | undefined {
  if (answer.evidence.length === 0) return undefined;
  return new Description(phrases).of(query, answer)?.map(({ text, rows }) => ({ text: withoutMarkers(text), rows }));
}

type ValueQuery = Exclude<TableQuery, { readonly kind: 'rows' | 'groups' }>;

/** Answers as one language says them. */
class Description {
  constructor(private readonly phrases: TablePhrases) {}

  of(query: TableQuery, answer: QueryAnswer): AnswerPart[] | undefined {
    switch (query.kind) {
      case 'rows':
        return this.ofRows(query, answer);
      case 'groups':
        return this.ofGroups(query, answer);
      default: {
        const value = answer.rows[0]?.[0] ?? null;
        return value === null ? undefined : this.ofValue(query, value, answer);
      }
    }
  }

  private ofValue(query: ValueQuery, value: CellValue, { evidence, counted }: QueryAnswer): AnswerPart[] {
    const cited = evidence.map((_, index) => index);
    const all = countedOf(query, cited.length, counted);
    const text = `${capital(this.sentence(query, value, counted))}${this.cited(cited.length, all)}`;
    return [{ text, rows: cited }, end(text)];
  }

  private sentence(query: ValueQuery, value: CellValue, counted: number): string {
    const { phrases } = this;
    const among = this.among(query);
    const rows = phrases.rows(counted);
    switch (query.kind) {
      case 'measure':
        return this.measured(query, value, counted);
      case 'difference': {
        const shown = this.shown(value, query.measure.column?.unit ?? null);
        const sides = [this.where(query.first), this.where(query.second)] as const;
        return `${phrases.difference(this.measure(query.measure), ...sides, among, shown)}${phrases.from(rows, false)}`;
      }
      case 'neighbour': {
        const lead = phrases.neighbour(
          this.labels(query.columns),
          query.direction === 'next',
          this.where(query.anchor),
          among,
        );
        return `${lead} ${this.shown(value, query.columns[0]!.unit)}`;
      }
      case 'exists':
        return `${value === 'no' ? phrases.no : phrases.yes}: ${rows} ${among}`;
      case 'verdict':
        return `${phrases.compared(this.label(query.column), among, query.value)} ${this.shown(value, null)}`;
    }
  }

  private measured(query: QueryOf<'measure'>, value: CellValue, counted: number): string {
    const { measure } = query;
    const { phrases } = this;
    const among = this.among(query);
    const isCount = measure.function === 'count' || measure.function === 'count_distinct';
    const shown = this.shown(value, isCount ? null : (measure.column?.unit ?? null));
    if (!isCount && measure.column !== undefined && counted === 1)
      return `${this.label(measure.column)} ${among}${phrases.leadsTo} ${shown}`;
    const isExtreme = measure.function === 'min' || measure.function === 'max';
    const from = measure.column === undefined ? '' : phrases.from(phrases.rows(counted), isExtreme);
    return `${phrases.computed(this.measure(measure), among, shown)}${from}`;
  }

  private ofRows(query: QueryOf<'rows'>, { rows, truncated, evidence, counted }: QueryAnswer): AnswerPart[] {
    const { columns, order } = query;
    const shown = shownColumns(query);
    const { phrases } = this;
    const lead = `${this.labels(columns)} ${this.among(query)}${orderText(order, phrases)}`;
    const listed = evidence.slice(0, MAX_LISTED).map((values) => this.row(shown, values));
    const compared = order === undefined ? '' : ` ${capital(phrases.wereCompared(phrases.rows(counted), counted))}.`;
    if (listed.length === 1 && rows.length === 1) {
      return [
        { text: `${lead}${order === undefined ? phrases.leadsTo : ':'} ${listed[0]!}`, rows: [0] },
        { text: `.${compared}`, rows: [] },
      ];
    }
    const parts = listed.map((text, index): AnswerPart => ({
      text: `${index === 0 ? `${lead}: ` : '; '}${text}`,
      rows: [index],
    }));
    return [...parts, { text: `${this.more(rows.length - listed.length, truncated)}.${compared}`, rows: [] }];
  }

  private ofGroups(query: QueryOf<'groups'>, { rows, truncated, evidence, counted }: QueryAnswer): AnswerPart[] {
    const { by, measure, descending, limit, showMeasure } = query;
    const { phrases } = this;
    const [label, measured, among] = [this.label(by), this.measure(measure), this.among(query)];
    const isOne = descending !== undefined && limit === 1;
    const lead = isOne
      ? phrases.extremeGroup(label, measured, descending, among)
      : phrases.groups(label, measured, among, descending);
    const listed = rows.slice(0, MAX_LISTED);
    const parts = listed.map(([group, value], index): AnswerPart => {
      const own = evidence.flatMap(([other], at) => (other === group ? [at] : []));
      const unit = measure.function === 'count' ? null : (measure.column?.unit ?? null);
      const amount = showMeasure ? ` (${this.shown(value ?? null, unit)})` : '';
      return { text: `${index === 0 ? capital(lead) : '; '}${this.shown(group ?? null, by.unit)}${amount}`, rows: own };
    });
    const from = phrases.from(phrases.rows(counted), false);
    const tail = `${this.more(rows.length - listed.length, truncated)}${from}${this.cited(evidence.length, counted)}.`;
    return [...parts, { text: tail, rows: [] }];
  }

  private row(columns: readonly QuestionColumn[], values: readonly CellValue[]): string {
    const [first, ...others] = columns.map((column, index) => ({
      column,
      text: this.shown(values[index] ?? null, column.unit),
    }));
    const beside = others.map(({ column, text }) => `${this.label(column)} ${text}`).join(', ');
    return beside === '' ? first!.text : `${first!.text} (${beside})`;
  }

  /** A table's name is for statements of SQL: people know a table by its title. */
  private among({ table: { title, name }, where }: Pick<TableQuery, 'table' | 'where'>): string {
    return `${this.phrases.inTable(this.phrases.quote(title === '' ? name : title))}${this.where(where)}`;
  }

  private where(conditions: readonly Condition[]): string {
    return whereText(conditions, this.phrases);
  }

  private measure(measure: Measure): string {
    return measureText(measure, this.phrases);
  }

  private label(column: QuestionColumn): string {
    return labelOf(column, this.phrases);
  }

  private labels(columns: readonly QuestionColumn[]): string {
    return columns.map((column) => this.label(column)).join(', ');
  }

  private more(count: number, isAtLeast: boolean): string {
    return count > 0 ? this.phrases.more(count, isAtLeast) : '';
  }

  private cited(cited: number, counted: number): string {
    return counted > cited ? this.phrases.cited(cited, counted - cited) : '';
  }

  /** A value as a sentence has it: on one line. */
  private shown(value: CellValue, unit: string | null): string {
    const { phrases } = this;
    if (value === null) return phrases.noValue;
    if (typeof value === 'boolean') return value ? phrases.yes : phrases.no;
    if (typeof value === 'number') return withUnit(numberText(value), unit);
    const line = value.replace(/\s+/g, ' ').trim();
    const text = line.length <= MAX_CELL ? line : `${line.slice(0, MAX_CELL - 1).replace(/[\ud800-\udbff]$/, '')}…`;
    return /^-?\d+(?:\.\d+)?$/.test(text) ? withUnit(text, unit) : text;
  }
}

/** Of a least or greatest value those rows are cited that have it, not all that were compared. */
function countedOf(query: ValueQuery, cited: number, counted: number): number {
  const isExtreme = query.kind === 'measure' && /^(?:min|max)$/.test(query.measure.function);
  return isExtreme || query.kind === 'neighbour' ? cited : counted;
}

/** A full stop, unless there is one. */
function end(text: string): AnswerPart {
  return { text: /[.!?]$/.test(text) ? '' : '.', rows: [] };
}

/** Headers and cells may hold what looks like the marker of a citation. */
function withoutMarkers(text: string): string {
  return text.replace(/\[(\d{1,3}(?:\s*,\s*\d{1,3})*)\]/g, '($1)');
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
