/** Longest header row that chunks carry along, in UTF-16 units. */
const MAX_HEADER = 500;

/** So much of a table is read at most to find its header. */
export const MAX_TABLE_HEAD = 4_000;

/** What the first lines of a table say. All positions are offsets in the canonical text. */
export interface TableHead {
  /** Cells of the first row, joined by ` | `; empty when there is none. */
  header: string;
  /** Where the rows below the header begin. */
  bodyStart: number;
  /** The line of Markdown between header and body, which is no row; empty when there is none. */
  delimiter: { start: number; end: number };
}

/** Reads the head of a table whose text, or the beginning of it, is `text`. */
export function readTableHead(text: string, start: number): TableHead {
  const [first = '', second = ''] = text.split('\n', 2);
  const afterFirst = Math.min(text.length, first.length + 1);
  const isDelimiter = /^[ \t|:-]*-[ \t|:-]*\r?$/.test(second) && second.includes('|');
  const bodyStart = isDelimiter ? Math.min(text.length, afterFirst + second.length + 1) : afterFirst;
  return {
    header: headerOf(first),
    bodyStart: start + bodyStart,
    delimiter: { start: start + afterFirst, end: start + bodyStart },
  };
}

function headerOf(line: string): string {
  return line
    .trim()
    .replace(/^\||\|$/g, '')
    .replace(/\s+/g, ' ')
    .replace(/ ?\| ?/g, ' | ')
    .replace(/^[ |]+|[ |]+$/g, '')
    .slice(0, MAX_HEADER)
    .replace(/[\ud800-\udbff]$/, '');
}
