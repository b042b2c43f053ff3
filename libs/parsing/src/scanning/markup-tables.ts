import { asciidocTable, isAsciidocMark } from './markups/asciidoc-table.js';
import { latexTable } from './markups/latex-table.js';
import type { MarkupTable } from './markups/markup-table.js';
import { directiveTable } from './markups/rst-table.js';
import { wikiTable } from './markups/wiki-table.js';

/** A table whose end is awaited. */
interface OpenTable {
  readonly isEnd: (line: string) => boolean;
  /** Undefined where the lines, from the first to the last, are no table after all. */
  readonly read: (lines: readonly string[]) => MarkupTable | undefined;
  /** The line that ends it is none of it. */
  readonly endsBefore: boolean;
  /** What begins and ends it within lines that may hold other words before and behind. */
  readonly within?: { readonly begin: string; readonly end: string };
  /** Words before it in its first line are in the text already. */
  readonly isBehindWords: boolean;
  readonly lines: string[];
  units: number;
}

/** Longer tables stay as they are written. */
const MOST_UNITS = 4 * 1024 * 1024;
/** Lines above a table of AsciiDoc that say how it is to be read. */
const MOST_MARKS = 4;

/**
 * Finds tables that markups write over several lines: AsciiDoc, LaTeX, MediaWiki and the directives of reStructuredText; headers of Jira and Textile
 * become rows between bars. Works on text as it passes by, line by line; linear. What does not end stays as it is.
 */
export class MarkupTables {
  private carry = '';
  private open: OpenTable | undefined;
  /** Lines that may say how a table below them is to be read. */
  private marks: string[] = [];
  private parts: (string | MarkupTable)[] = [];

  /** Takes the next piece and gives what is known of the text. */
  feed(piece: string): (string | MarkupTable)[] {
    const text = this.carry + piece;
    let from = 0;
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', from)) {
      this.takeLine(text.slice(from, end + 1));
      from = end + 1;
    }
    this.carry = text.slice(from);
    if (this.carry.length > MOST_UNITS) {
      this.takeLine(this.carry);
      this.carry = '';
    }
    return this.taken();
  }

  /** The rest, at the end. */
  finish(): (string | MarkupTable)[] {
    if (this.carry !== '') this.takeLine(this.carry);
    this.carry = '';
    if (this.open?.endsBefore === true) this.close(this.open);
    else this.giveUp();
    this.releaseMarks();
    return this.taken();
  }

  private taken(): (string | MarkupTable)[] {
    const { parts } = this;
    this.parts = [];
    return parts;
  }

  private put(text: string): void {
    const last = this.parts.at(-1);
    if (typeof last === 'string') this.parts[this.parts.length - 1] = last + text;
    else if (text !== '') this.parts.push(text);
  }

  private takeLine(line: string): void {
    const { open } = this;
    if (open !== undefined) return this.goOn(open, line);
    if (isAsciidocMark(line) && this.marks.length < MOST_MARKS) {
      this.marks.push(line);
      return;
    }
    const table = tableOf(line, this.marks);
    if (table === undefined) {
      this.releaseMarks();
      return this.put(withBars(line));
    }
    const start = table.within === undefined ? 0 : line.indexOf(table.within.begin);
    const rest = line.slice(start);
    const isBehindWords = /\S/.test(line.slice(0, start));
    if (isBehindWords) this.put(line.slice(0, start));
    this.open = { ...table, isBehindWords, lines: [...this.marks, isBehindWords ? rest : line], units: line.length };
    this.marks = [];
    // A line of AsciiDoc that begins a table looks like the one that ends it.
    if (rest.includes('\\end{') && table.isEnd(rest)) this.close(this.open);
  }

  private goOn(open: OpenTable, line: string): void {
    const isEnd = open.isEnd(line);
    if (isEnd && open.endsBefore) {
      this.close(open);
      return this.takeLine(line);
    }
    open.lines.push(line);
    open.units += line.length;
    if (isEnd) this.close(open);
    else if (open.units > MOST_UNITS) this.giveUp();
  }

  private close(open: OpenTable): void {
    const table = open.read(open.lines.map((line) => line.replace(/\r?\n$/, '')));
    if (table === undefined || table.rows.length < 2 || !table.rows.some((cells) => cells.length > 1))
      return this.giveUp();
    this.open = undefined;
    if (open.isBehindWords) this.put('\n');
    if (table.caption !== undefined && table.caption !== '') this.put(`${table.caption}\n\n`);
    this.parts.push(table);
    this.put(`\n${wordsBehind(open)}`);
  }

  private giveUp(): void {
    for (const line of this.open?.lines ?? []) this.put(line);
    this.open = undefined;
  }

  private releaseMarks(): void {
    for (const mark of this.marks.splice(0)) this.put(mark);
  }
}

type Opening = Pick<OpenTable, 'isEnd' | 'read' | 'endsBefore' | 'within'>;

/** What is behind the end of a table in its last line. */
function wordsBehind({ within, lines }: OpenTable): string {
  const last = lines.at(-1) ?? '';
  const end = within === undefined ? -1 : last.indexOf(within.end);
  const words = end < 0 ? '' : last.slice(end + within!.end.length);
  return /\S/.test(words) ? words : '';
}

/** The table that a line begins. */
function tableOf(line: string, marks: readonly string[]): Opening | undefined {
  const words = line.trim();
  if (/^[|,:!]={3,}$/.test(words)) {
    return {
      isEnd: (other) => other.trim() === words,
      endsBefore: false,
      read: (lines) => asciidocTable(lines, marks.length),
    };
  }
  if (words.startsWith('{|'))
    return { isEnd: (other) => other.trim().startsWith('|}'), endsBefore: false, read: wikiTable };
  const environment = /^[^%]*\\begin\{(tabular[xy*]?|longtable|tabulary|supertabular)\}/.exec(words)?.[1];
  if (environment !== undefined) {
    const [begin, end] = [`\\begin{${environment}}`, `\\end{${environment}}`];
    return { isEnd: (other) => other.includes(end), endsBefore: false, read: latexTable, within: { begin, end } };
  }
  if (/^\.\. (?:list|csv)-table::/.test(line)) {
    return { isEnd: (other) => /^\S/.test(other), endsBefore: true, read: directiveTable };
  }
  return undefined;
}

/** A header of Jira (`||Item||Price||`) or Textile (`|_. Item |_. Price |`) as cells between bars. */
function withBars(line: string): string {
  if (!line.startsWith('|')) return line;
  if (/^\|\|[^|].*\|\|\s*$/.test(line)) return line.replaceAll('||', '|');
  return line.startsWith('|_') ? line.replace(/\|_[<>=^~]*\.[ \t]/g, '| ') : line;
}
