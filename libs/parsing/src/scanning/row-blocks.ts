import { MAX_BLOCK_UNITS, type EmitBlock } from './block-scanner.js';

/** What is known of the rows of a table besides their text. */
export interface RowsMarks {
  /** Number of the first row, from 1; default 1. */
  readonly firstRow?: number;
  /** The rows go on with those of a table above, from which something else parts them. */
  readonly continues?: boolean;
  /** First rows that are marked as header; 0: it is marked that none is. */
  readonly headerRows?: number | undefined;
}

/** Emits blocks of bounded length for rows, a line each with one line break between, that begin at `start`. */
export function emitRows(emit: EmitBlock, lines: readonly string[], start: number, marks: RowsMarks = {}): void {
  const { firstRow = 1, continues = false, headerRows } = marks;
  let next = start;
  let from = start;
  let row = firstRow;
  const close = (end: number, nextRow: number): void => {
    const isFirst = row === firstRow;
    emit({
      kind: 'table',
      start: from,
      end,
      row,
      ...(isFirst && headerRows !== undefined && { headerRows }),
      ...(isFirst && continues && { continues }),
    });
    [from, row] = [end + 1, nextRow];
  };
  for (const [at, line] of lines.entries()) {
    if (next > from && next + line.length - from > MAX_BLOCK_UNITS) close(next - 1, firstRow + at);
    next += line.length + 1;
  }
  if (next > from) close(next - 1, firstRow + lines.length);
}
