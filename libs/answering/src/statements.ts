import {
  trimRange,
  splitSentences,
  type TextRange,
  cellsOf,
  HEAD_ROWS,
  headOfRows,
  isDelimiter,
  isRemark,
} from '#libs/text';

/** What a stretch of a source is, as far as quoting it goes. */
export type StatementKind = 'sentence' | 'heading' | 'row' | 'item';

/** A stretch of a source that is quoted as a whole. */
export interface Statement extends TextRange {
  readonly kind: StatementKind;
  /** Names of the columns of the table that a row is in, joined by ` | `; null for its header rows and for everything else. */
  readonly header: string | null;
  /** A row of header: it says something together with a row below it only. */
  readonly isHead: boolean;
  /** Whether it is one of several lines that each name a value (“Deputy: Paul Moser”): those beside it tell of something else. */
  readonly isField: boolean;
}

/** A line of cells, as tables are in the canonical text: `a | b`, in Markdown `| a | b |`. */
const ROW = /^[ \t]*(?:\|.*\||[^|\n]*\S[ \t]\|(?:[ \t].*|))$/;
/** Where a cell ends within a line. */
const CELL_END = /\S[ \t]\|(?:[ \t]|$)/;
const FENCE = /^[ \t]*(?:`{3,}|~{3,})/;
const HEADING = /^[ \t]*(?:#{1,6}[ \t]|(=+[ \t])+[^=]+([ \t]=+)+[ \t]*$)/;
/** “Deputy: Paul Moser”. */
const LABELLED = /^[ \t]*\p{L}[^\n:.!?|]{0,40}:[ \t]+\S/u;
/** What names the sender at the head of a mail, whose lines are one statement. */
const SENDER = /^[ \t]*(?:from|von|de|expéditeur|remitente):/iu;
const ITEM = /^[ \t]*(?:[-*+•‣▪–][ \t]|\d{1,3}[.)][ \t])/;
/** A line that may be a title: short, and not in the middle of a sentence. */
const TITLE_CHARS = 80;
const GOES_ON = /[.,;:!?…\-–—/(]$|[.,;:!?…]["'”’»)]$/u;
const SENTENCE_ENDS = /\p{L}[\p{L}\p{N}"'”’»)%]*[.!?…](?:\s|$)/u;
const BEGINS = /^["'“„«(¿¡]?[\p{Lu}\p{N}]/u;

/** Rows of one table that follow each other in a source. */
interface RowRun {
  readonly rows: TextRange[];
  /** Rows above the line of Markdown that parts header and body. */
  marked: number | undefined;
  end: number;
}

/**
 * Splits a source into what can be quoted: sentences, headings, list items, and every row of a table on its own, with the names of its
 * columns. Lines that only open or close code, or part a table's header from its body, are left out.
 * @param above names of the columns of a table in whose body the source begins, joined by ` | `
 */
export function splitStatements(text: string, above: string | null = null): Statement[] {
  const statements: Statement[] = [];
  let run: RowRun | undefined;
  const close = (): void => {
    if (run !== undefined) pushRows(statements, text, run, statements.length === 0 ? above : null);
    run = undefined;
  };
  for (const range of wholeRows(text, splitSentences(text)).flatMap((sentence) => splitAtLines(text, sentence))) {
    const piece = text.slice(range.start, range.end);
    if (FENCE.test(piece) && !piece.includes('\n')) continue;
    const isLine = isDelimiter(piece);
    if (isLine && !piece.includes('|')) continue;
    if (!isLine && !isRow(piece)) {
      close();
      const isField = LABELLED.test(piece) && !piece.includes('\n') && isBesideFields(text, range);
      const kind = isTitleLine(text, range) ? 'heading' : kindOf(piece);
      statements.push({ ...range, kind, header: null, isHead: false, isField });
      continue;
    }
    if (run !== undefined && !/^[ \t\r]*\n?[ \t]*$/.test(text.slice(run.end, range.start))) close();
    run ??= { rows: [], marked: undefined, end: range.end };
    if (isLine) run.marked ??= run.rows.length;
    else run.rows.push(range);
    run.end = range.end;
  }
  close();
  return statements;
}

/** Sentences that do not end before a later cell of their row: “2 | 1. OG links | 78” is one row, and has three cells. */
function wholeRows(text: string, sentences: readonly TextRange[]): TextRange[] {
  const whole: TextRange[] = [];
  for (const { start, end } of sentences) {
    const last = whole.at(-1);
    if (last !== undefined && goesOnInRow(text, last, { start, end }))
      whole[whole.length - 1] = { start: last.start, end };
    else whole.push({ start, end });
  }
  return whole;
}

function goesOnInRow(text: string, last: TextRange, next: TextRange): boolean {
  if (text.slice(last.end, next.start).includes('\n')) return false;
  const before = text.slice(text.lastIndexOf('\n', last.end - 1) + 1, last.end);
  const [rest = ''] = text.slice(next.start, next.end).split('\n', 1);
  return CELL_END.test(before) && CELL_END.test(rest);
}

function pushRows(statements: Statement[], text: string, { rows, marked }: RowRun, above: string | null): void {
  const lines = rows.slice(0, HEAD_ROWS).map(({ start, end }) => text.slice(start, end));
  const goesOn = above !== null && lines.length > 0 && goesOnBelow(above, lines[0]!);
  const head = goesOn ? { titleRows: 0, headerRows: 0, header: above } : headOfRows(lines, marked);
  const first = head.titleRows + head.headerRows;
  for (const [index, range] of rows.entries()) {
    const isHead = index >= head.titleRows && index < first;
    const isBody = index >= first && head.header !== '' && !isRemark(text.slice(range.start, range.end), head.header);
    const header = isBody ? head.header : null;
    statements.push({ ...range, kind: 'row', header, isHead, isField: false });
  }
}

/** Whether a row can be in the body of a table with these columns. */
function goesOnBelow(above: string, row: string): boolean {
  const columns = cellsOf(above);
  return above.includes(' | ') && cellsOf(row).length >= columns.length && cellsOf(row).join() !== columns.join();
}

function isRow(piece: string): boolean {
  return !piece.includes('\n') && ROW.test(piece);
}

function kindOf(piece: string): StatementKind {
  if (HEADING.test(piece)) return 'heading';
  return ITEM.test(piece) ? 'item' : 'sentence';
}

/**
 * A line that is a row, a heading or a fence is alone, and lines that each name a value (“Deputy: Paul Moser”) are statements of their own where
 * two or more follow each other; the other lines of a sentence stay together.
 */
function splitAtLines(text: string, { start, end }: TextRange): TextRange[] {
  const whole = text.slice(start, end);
  if (!whole.includes('\n')) return [{ start, end }];
  const parts: TextRange[] = [];
  let [from, at] = [start, start];
  const push = (to: number): void => {
    const range = trimRange(text, from, to);
    if (range.end > range.start) parts.push(range);
    from = to;
  };
  const lines = whole.split('\n');
  const labelled = labelledLines(lines);
  for (const [index, line] of lines.entries()) {
    const next = Math.min(end, at + line.length + 1);
    const bare = line.replace(/\r$/, '');
    if (labelled.has(index)) push(at);
    else if (isTitleLine(text, { start: at, end: at + bare.length })) {
      push(at);
      push(next);
    } else if (isRow(bare) || isDelimiter(bare) || HEADING.test(bare) || FENCE.test(bare)) {
      push(at);
      push(next);
    }
    at = next;
  }
  push(end);
  return parts;
}

/**
 * Whether a range is the first line of a paragraph and its title: short, without an end of a sentence, and broken before a word that begins a sentence
 * and would have fit. Lines that are filled up to a width are broken only before words that do not.
 */
function isTitleLine(text: string, { start, end }: TextRange): boolean {
  const line = text.slice(start, end).trim();
  if (line === '' || line.length > TITLE_CHARS || line.includes('\n') || GOES_ON.test(line) || ITEM.test(line))
    return false;
  if (!/(?:^|\n[ \t\r]*\n)[ \t]*$/.test(text.slice(Math.max(0, start - TITLE_CHARS), start))) return false;
  const [behind, ...below] = paragraphFrom(text, end);
  // Lines that name values, and rows, are no prose under a title.
  if (behind!.trim() !== '' || [line, ...below].some((one) => LABELLED.test(one) || isRow(one))) return false;
  const [first = ''] = below;
  const [word] = first.trim().split(/\s/, 1);
  const widest = Math.max(0, ...below.map((one) => one.trimEnd().length));
  return BEGINS.test(first.trim()) && line.length + 1 + word!.length < widest && SENTENCE_ENDS.test(below.join('\n'));
}

/** What is left of a line, and the lines behind it up to an empty one. */
function paragraphFrom(text: string, end: number): string[] {
  const empty = text.slice(end).search(/\n[ \t\r]*\n/);
  return text.slice(end, empty < 0 ? undefined : end + empty).split('\n');
}

/** The places of lines that name a value beside others that do. */
function labelledLines(lines: readonly string[]): ReadonlySet<number> {
  const found = lines.flatMap((line, index) => (LABELLED.test(line) ? [index] : []));
  if (found.some((index) => SENDER.test(lines[index]!))) return new Set();
  return new Set(found.filter((index) => found.includes(index - 1) || found.includes(index + 1)));
}

/** Whether the line before or behind a line of its own names a value, too. */
function isBesideFields(text: string, { start, end }: TextRange): boolean {
  const from = text.lastIndexOf('\n', start - 1) + 1;
  if (text.slice(from, start).trim() !== '') return false;
  const before = text.slice(text.lastIndexOf('\n', from - 2) + 1, Math.max(0, from - 1));
  const next = text.indexOf('\n', end);
  const behind = next < 0 ? '' : (text.slice(next + 1).split('\n', 1)[0] ?? '');
  return [before, behind].some((line) => LABELLED.test(line));
}

/** A statement as it is understood alone: a row of a table with the names of its columns above it. */
export function statementText(text: string, { start, end, header }: Statement): string {
  const own = text.slice(start, end);
  return header === null ? own : `${header}\n${own}`;
}
