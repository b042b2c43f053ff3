import { findTableHead, tableRowRole } from '#libs/tabular';

/** What the first rows of a table are. */
export interface RowsHead {
  /** Rows above the header that name the table. */
  readonly titleRows: number;
  readonly headerRows: number;
  /** The names of the columns, joined by ` | `; empty when there are none. */
  readonly header: string;
}

/** Rows that tell the head of a table. */
export const HEAD_ROWS = 40;
/** The line of Markdown between header and body. */
const DELIMITER = /^[ \t]*\|?[ \t:|-]*-[ \t:|-]*\|?[ \t\r]*$/;
const SEPARATOR = ' | ';

/** Whether a line of Markdown parts a table's header from its body. */
export function isDelimiter(line: string): boolean {
  return DELIMITER.test(line);
}

/**
 * The head of a table by its first rows, as typed tables find it too: what is quoted, searched and counted has the same columns.
 * `marked`: header rows that the file itself marks, which are believed.
 */
export function headOfRows(lines: readonly string[], marked?: number): RowsHead {
  const rows = lines.slice(0, HEAD_ROWS).map(cellsOf);
  const { titleRows, headerRows, labels } = findTableHead(rows, 'auto', marked);
  const header = headerRows === 0 ? '' : labels.join(SEPARATOR).replace(/(?:\s*\|)*\s*$/, '');
  return { titleRows, headerRows, header };
}

/** Whether a row of a table is a note or the title of a section, which has no columns. */
export function isRemark(row: string, header: string): boolean {
  const cells = cellsOf(row);
  if (cells.filter((cell) => cell !== '').length !== 1) return false;
  const labels = cellsOf(header);
  const role = tableRowRole(cells, Math.max(cells.length, labels.length), labels);
  return role === 'note' || role === 'section';
}

/** The cells of a row, trimmed, with the empty ones; in Markdown the outer bars are none. */
export function cellsOf(row: string): string[] {
  const line = row.trim();
  if (line.startsWith('|') && line.endsWith('|') && line.length > 1) {
    return line
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim());
  }
  return ` ${line} `.split(SEPARATOR).map((cell) => cell.trim());
}
