import { hasOwnWidths, joinRecords, MAX_RECORD_LINES, recordLines } from './text-records.js';
import { cutAt, isRule, rulerOf, type Ruler } from './fixed-width-columns.js';

/** Rows of a table that a plain text draws with signs. */
export interface DrawnTable {
  readonly rows: readonly (readonly string[])[];
  /** Number of the first row, from 1. */
  readonly firstRow: number;
  /** It goes on with the table above: its first row repeats the header of that. */
  readonly continues: boolean;
  /** First rows that are marked as header; undefined: none says so. */
  readonly headerRows?: number | undefined;
}

/** How the cells of a run of lines are parted: by bars around them, by one sign between them, or by the ruler below the header. */
type Way = { readonly kind: 'framed' } | { readonly kind: 'parted'; readonly sign: string } | Ruler;

/** Lines that may be a table. */
interface Run {
  readonly way: Way;
  /** Cells of each row; 0: no row is known yet. */
  columns: number;
  rows: string[][];
  /** The lines as they are, as long as it is not known that they are a table. */
  source: string;
  /** A line of nothing but signs is among them. */
  hasRule: boolean;
  /** Number of lines above the first line of signs that is not the first line of the table; undefined: there is none yet. */
  header: number | undefined;
  /** Numbers of the lines that are above such lines. */
  ruled: number[];
  /** Lines of a record; undefined: not known yet. */
  lines: number | undefined;
  /** Rows that have been taken, and the numbers of cells of the first of them. */
  taken: number;
  readonly widths: number[];
  /** Lines of its header may have different numbers of cells. */
  readonly mayBeRecords: boolean;
  /** Rows that have been given away. */
  given: number;
  continues: boolean;
}

/** A table that lines of a page's head and foot may part from its rest. */
interface Above {
  readonly header: string;
  nextRow: number;
  linesSince: number;
}

/** Longer lines draw no table. */
const MAX_LINE_UNITS = 4_000;
const MAX_LABEL_UNITS = 60;
/** Longer runs that give no rows, such as pages of borders, are text. */
const MAX_SOURCE_UNITS = 8 * 1024 * 1024;
/** Rows that are held before they are given away. */
const MAX_HELD_ROWS = 1_000;
/** Lines between two pages of one list. */
const MAX_LINES_BETWEEN = 30;
/** Rows that cells parted by signs alone need at least. */
const LEAST_PARTED_ROWS = 3;
const BOX_SIGN = /[\u2500-\u257f]/;
const LEVEL_SIGNS = /[─━┄┅┈┉╌╍═╴╶╸╺╼╾]/g;
const UPRIGHT_SIGNS = /[│┃┆┇┊┋╎╏║╵╷╹╻╽╿]/g;
const CROSSING_SIGNS = /[\u250c-\u254b\u2552-\u2570]/g;
const SIGNS = ['|', '\t', ';'];

/**
 * Finds tables in plain text: rows in a frame of bars (lists of SAP, clients of databases), rows parted by bars, tabs or semicolons below a header,
 * and columns below a ruler of dashes. Works on text as it passes by, line by line; linear.
 */
export class TextTables {
  private carry = '';
  private run: Run | undefined;
  /** The line before, which a ruler may make a header. */
  private before: string | undefined;
  private above: Above | undefined;
  /** Lines are taken again, since they are no records of several lines. */
  private isAgain = false;
  private parts: (string | DrawnTable)[] = [];

  /** Takes the next piece and gives what is known of the text. */
  feed(piece: string): (string | DrawnTable)[] {
    const text = this.carry + piece;
    let from = 0;
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', from)) {
      this.takeLine(text.slice(from, end + 1));
      from = end + 1;
    }
    this.carry = text.slice(from);
    if (this.carry.length > MAX_LINE_UNITS) {
      this.takeLine(this.carry);
      this.carry = '';
    }
    return this.taken();
  }

  /** The rest, at the end. */
  finish(): (string | DrawnTable)[] {
    if (this.carry !== '') this.takeLine(this.carry);
    this.carry = '';
    this.endRun();
    this.releaseBefore();
    return this.taken();
  }

  private taken(): (string | DrawnTable)[] {
    const { parts } = this;
    this.parts = [];
    return parts;
  }

  private put(text: string): void {
    if (text === '') return;
    const last = this.parts.at(-1);
    if (typeof last === 'string') this.parts[this.parts.length - 1] = last + text;
    else this.parts.push(text);
  }

  private takeLine(line: string): void {
    const words = line.length > MAX_LINE_UNITS ? '' : withPlainSigns(line.replace(/[ \r\n]+$/, ''));
    if (this.run !== undefined && this.goOn(this.run, words, line)) return;
    this.endRun();
    if (this.run !== undefined && this.goOn(this.run, words, line)) return;
    this.endRun();
    if (this.above !== undefined) this.above.linesSince += 1;
    const ruler = this.before === undefined ? undefined : rulerOf(words);
    if (ruler !== undefined) return this.beginBelow(ruler, line);
    this.releaseBefore();
    const way = wayOf(words);
    if (way !== undefined) {
      this.run = newRun(way, !this.isAgain);
      if (this.goOn(this.run, words, line)) return;
      this.run = undefined;
    }
    if (/\S/.test(words)) this.before = line;
    else this.put(line);
  }

  /** Columns below a ruler, with the line above it as their header. */
  private beginBelow(ruler: Ruler, line: string): void {
    const header = this.before!;
    this.before = undefined;
    const source = header + line;
    this.run = { ...newRun(ruler, false), source, hasRule: true };
    this.takeRow(this.run, cutAt(header.replace(/\r?\n$/, ''), ruler));
  }

  private releaseBefore(): void {
    if (this.before !== undefined) this.put(this.before);
    this.before = undefined;
  }

  /** Takes a line into a run; false where it is none of it. */
  private goOn(run: Run, words: string, line: string): boolean {
    if (!/\S/.test(words) || run.source.length > MAX_SOURCE_UNITS) return false;
    if (isRule(words) && run.way.kind !== 'parted') takeRule(run);
    else if (isRule(words) && run.rows.length + run.given === 1 && words.includes('+')) run.hasRule = true;
    else {
      const cells = cellsOf(words, run.way);
      if (cells === undefined || (run.columns > 0 && !fits(run, cells.length))) return false;
      if (run.columns === 0 && run.way.kind === 'parted' && (isProse(words) || !areLabels(cells))) return false;
      this.takeRow(run, cells);
    }
    if (run.given === 0) run.source += line;
    // Whole records only.
    const part = (run.header ?? 1) > MAX_RECORD_LINES ? 1 : (run.header ?? 1);
    if (run.rows.length >= MAX_HELD_ROWS && run.rows.length % part === 0) this.give(run);
    return true;
  }

  private takeRow(run: Run, cells: string[]): void {
    run.columns ||= cells.length;
    run.taken += 1;
    if (run.widths.length < MAX_RECORD_LINES) run.widths.push(cells.length);
    run.rows.push(cells);
  }

  private endRun(): void {
    const { run } = this;
    this.run = undefined;
    if (run === undefined) return;
    const isMixed = hasOwnWidths(run.rows);
    if (run.given === 0 && isMixed && recordLines(run) === 1) return this.takeAgain(run.source);
    const least = run.way.kind === 'parted' && !run.hasRule ? LEAST_PARTED_ROWS : 2;
    const isNarrow = run.columns < (run.hasRule ? 2 : LEAST_PARTED_ROWS);
    if (run.given === 0 && (run.rows.length < least || isNarrow)) return this.put(run.source);
    this.give(run);
  }

  /** Takes lines as those of no record. */
  private takeAgain(source: string): void {
    this.isAgain = true;
    for (const line of source.match(/[^\n]*\n|[^\n]+$/g) ?? []) this.takeLine(line);
    this.isAgain = false;
  }

  private give(run: Run): void {
    if (run.rows.length === 0) return;
    run.lines ??= recordLines(run);
    const rows = run.lines === 1 ? run.rows : joinRecords(run.rows, run.lines);
    const header = rows[0]!.join('|');
    const { above } = this;
    const goesOn = run.given === 0 && above?.header === header && above.linesSince <= MAX_LINES_BETWEEN;
    const firstRow = run.given > 0 || goesOn ? above!.nextRow : 1;
    this.parts.push({ rows, firstRow, continues: goesOn });
    this.put('\n');
    this.above = {
      header: run.given > 0 ? above!.header : header,
      nextRow: firstRow + rows.length,
      linesSince: 0,
    };
    run.given += rows.length;
    run.rows = [];
    run.source = '';
  }
}

/** A line whose bars and rules are drawn with signs of their own, as terminals and programs of DOS draw them, with those that any text has; as long as before. */
function withPlainSigns(words: string): string {
  if (!BOX_SIGN.test(words)) return words;
  const drawn = words.replace(LEVEL_SIGNS, '-').replace(UPRIGHT_SIGNS, '|').replace(CROSSING_SIGNS, '+');
  return isRule(drawn) ? drawn : words.replace(UPRIGHT_SIGNS, '|');
}

function newRun(way: Way, mayBeRecords: boolean): Run {
  return {
    way,
    columns: 0,
    rows: [],
    source: '',
    hasRule: false,
    header: undefined,
    ruled: [],
    lines: undefined,
    taken: 0,
    widths: [],
    mayBeRecords: mayBeRecords && way.kind === 'framed',
    given: 0,
    continues: false,
  };
}

function takeRule(run: Run): void {
  run.hasRule = true;
  if (run.given > 0 || run.rows.length === 0) return;
  run.header ??= run.rows.length;
  if (run.ruled.at(-1) !== run.rows.length) run.ruled.push(run.rows.length);
}

/** Whether a row with this number of cells can be the next one: as the others, or as the line of the header that is in its place in a record. */
function fits(run: Run, width: number): boolean {
  const { mayBeRecords, header, widths, taken, columns } = run;
  if (!mayBeRecords || (header ?? 1) > MAX_RECORD_LINES) return width === columns;
  if (header !== undefined) return width === widths[taken % header];
  return taken < MAX_RECORD_LINES || (width === columns && widths.every((other) => other === columns));
}

/** How a line that begins a table parts its cells. */
function wayOf(words: string): Way | undefined {
  if (words.startsWith('|') || (words.startsWith('+') && isRule(words))) return { kind: 'framed' };
  const sign = SIGNS.find((candidate) => words.includes(candidate));
  return sign === undefined ? undefined : { kind: 'parted', sign };
}

function cellsOf(words: string, way: Way): string[] | undefined {
  if (way.kind === 'ruler') return cutAt(words, way);
  if (way.kind === 'parted') {
    const cells = words.split(way.sign).map((cell) => cell.trim());
    return cells.length > 1 ? cells : undefined;
  }
  const line = words.trim();
  if (line.length < 3 || !line.startsWith('|') || !line.endsWith('|')) return undefined;
  return line
    .slice(1, -1)
    .split('|')
    .map((cell) => cell.trim());
}

/** Prose has a blank behind its semicolons. */
function isProse(words: string): boolean {
  return words.includes('; ');
}

/** Names of columns; those at the end may have none. */
function areLabels(cells: readonly string[]): boolean {
  return cells.slice(0, cells.findLastIndex((cell) => cell !== '') + 1).every(isLabel);
}

/** A short cell that is no number, day or time. */
function isLabel(cell: string): boolean {
  return cell.length <= MAX_LABEL_UNITS && /\p{L}/u.test(cell) && !/\d[.:/-]\d/.test(cell);
}
