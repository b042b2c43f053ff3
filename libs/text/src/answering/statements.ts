import { trimRange } from '../language/characters.js';
import { splitSentences, type TextRange } from '../language/split-sentences.js';

/** What a stretch of a source is, as far as quoting it goes. */
export type StatementKind = 'sentence' | 'heading' | 'row' | 'item';

/** A stretch of a source that is quoted as a whole. */
export interface Statement extends TextRange {
  readonly kind: StatementKind;
  /** The first row of the table that a row stands in; null for the first row itself and for everything else. */
  readonly header: TextRange | null;
}

/** A line of cells, as tables stand in the canonical text: `a | b`, in Markdown `| a | b |`. */
const ROW = /^[ \t]*(?:\|.*\||[^|\n]*\S[ \t]\|(?:[ \t].*|))$/;
/** The line of Markdown between header and body. */
const DELIMITER = /^[ \t]*\|?[ \t:|-]*-[ \t:|-]*\|?[ \t]*$/;
const FENCE = /^[ \t]*(?:`{3,}|~{3,})/;
const HEADING = /^[ \t]*(?:#{1,6}[ \t]|(=+[ \t])+[^=]+([ \t]=+)+[ \t]*$)/;
const ITEM = /^[ \t]*(?:[-*+•‣▪–][ \t]|\d{1,3}[.)][ \t])/;

/**
 * Splits a source into what can be quoted: sentences, headings, list items, and every row of a table on its own, with its
 * header. Lines that only open or close code, or part a table's header from its body, are left out.
 */
export function splitStatements(text: string): Statement[] {
  const statements: Statement[] = [];
  let header: TextRange | null = null;
  let lastRow = -1;
  for (const range of splitSentences(text).flatMap((sentence) => splitAtLines(text, sentence))) {
    const piece = text.slice(range.start, range.end);
    if (FENCE.test(piece) && !piece.includes('\n')) continue;
    if (DELIMITER.test(piece)) {
      if (piece.includes('|')) lastRow = range.end;
      continue;
    }
    if (!isRow(piece)) {
      statements.push({ ...range, kind: kindOf(piece), header: null });
      continue;
    }
    const continues = lastRow >= 0 && /^[ \t\r]*\n?[ \t]*$/.test(text.slice(lastRow, range.start));
    if (!continues) header = null;
    statements.push({ ...range, kind: 'row', header });
    header ??= range;
    lastRow = range.end;
  }
  return statements;
}

function isRow(piece: string): boolean {
  return !piece.includes('\n') && ROW.test(piece);
}

function kindOf(piece: string): StatementKind {
  if (HEADING.test(piece)) return 'heading';
  return ITEM.test(piece) ? 'item' : 'sentence';
}

/** A line that is a row, a heading or a fence stands alone; the other lines of a sentence stay together. */
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
  for (const line of whole.split('\n')) {
    const next = Math.min(end, at + line.length + 1);
    const bare = line.replace(/\r$/, '');
    if (isRow(bare) || DELIMITER.test(bare) || HEADING.test(bare) || FENCE.test(bare)) {
      push(at);
      push(next);
    }
    at = next;
  }
  push(end);
  return parts;
}

/** The cells of a row, trimmed, with the empty ones. */
export function cellsOf(row: string): string[] {
  return row
    .trim()
    .replace(/^\||\|$/g, '')
    .split('|')
    .map((cell) => cell.trim());
}
