import { HEAD_ROWS, headOfRows, isDelimiter } from '../tables/table-rows.js';

/** Longest header row that chunks carry along, in UTF-16 units. */
const MAX_HEADER = 500;

/** So much of a table is read at most to find its header. */
export const MAX_TABLE_HEAD = 4_000;

/** What the first lines of a table say. All positions are offsets in the canonical text. */
export interface TableHead {
  /** Names of the columns, joined by ` | `; empty when there are none. */
  header: string;
  /** Where the rows below the header begin. */
  bodyStart: number;
  /** The line of Markdown between header and body, which is no row; empty when there is none. */
  delimiter: { start: number; end: number };
}

/**
 * Reads the head of a table whose text, or the beginning of it, is `text`.
 * @param marked header rows that the file itself marks
 * @param isCut whether the table goes on behind `text`
 */
export function readTableHead(text: string, start: number, marked?: number, isCut = false): TableHead {
  const lines = text.split('\n', HEAD_ROWS + 1);
  const isMarkdown = isDelimiter(lines[1] ?? '') && lines[1]!.includes('|');
  // A row that is cut off says nothing of its columns.
  if (isCut && lines.length > 2 && lines.length <= HEAD_ROWS) lines.pop();
  const { titleRows, headerRows, header } = isMarkdown ? headOfRows(lines.slice(0, 1), 1) : headOfRows(lines, marked);
  const endOf = (count: number): number =>
    Math.min(
      text.length,
      lines.slice(0, count).reduce((sum, line) => sum + line.length + 1, 0),
    );
  const bodyStart = isMarkdown ? endOf(2) : endOf(titleRows + headerRows);
  return {
    header: clean(header),
    bodyStart: start + bodyStart,
    delimiter: { start: start + (isMarkdown ? endOf(1) : bodyStart), end: start + bodyStart },
  };
}

function clean(header: string): string {
  return header
    .replace(/\s+/g, ' ')
    .slice(0, MAX_HEADER)
    .replace(/[\ud800-\udbff]$/, '');
}

/** Where the lines of cells end that go on behind a block of rows. */
export function rowsEnd(text: string, end: number): number {
  let last = end;
  while (text[last] === '\n' || text.startsWith('\r\n', last)) {
    const from = text.indexOf('\n', last) + 1;
    const next = text.indexOf('\n', from);
    const line = text.slice(from, next < 0 ? text.length : next);
    if (!/(?:^\s*\||[ \t]\|(?:[ \t]|\s*$))/.test(line)) return last;
    last = next < 0 ? text.length : next;
  }
  return last;
}
