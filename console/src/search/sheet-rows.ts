import type { Stretch } from './text-pieces.js';

/** Lines of a text that are no rows, or rows of one table, cell by cell. */
export type SheetBlock =
  | Stretch
  | (Stretch & {
      readonly rows: readonly (readonly Stretch[])[];
      /** Whether its first row names the columns: a text that goes on with a table's rows does not repeat them. */
      readonly hasHeads: boolean;
    });

/** As the service writes the border between two cells. */
const BORDER = ' | ';

/**
 * The names of the columns where a text goes on with the rows of a table: the service gives them as the last heading above the text. Undefined
 * where it begins otherwise.
 */
export function columnsOf(headings: readonly string[], [first]: readonly SheetBlock[]): readonly string[] | undefined {
  const last = headings.at(-1);
  const goesOn = first !== undefined && 'rows' in first && !first.hasHeads;
  return goesOn && last !== undefined && last.includes(BORDER) ? last.split(BORDER) : undefined;
}

/** As cells that hold a number, an amount or a day. */
const NUMBER = /^[\s\d.,'%€$£+-]*\d[\s\d.,'%€$£+-]*$/;
export const isNumber = (cell: string): boolean => NUMBER.test(cell);

/** Runs of cells with the same words side by side, as cells that were merged are written: where each begins, and where it ends. */
function mergedRuns(row: readonly string[]): readonly (readonly [number, number])[] {
  const starts = row.flatMap((cell, nth) => (nth === 0 || cell !== row[nth - 1] ? [nth] : []));
  return starts
    .map((from, nth) => [from, starts[nth + 1] ?? row.length] as const)
    .filter(([from, to]) => to - from > 1 && row[from] !== '');
}

/**
 * How many of a table's first rows name its columns: one, and those below names that go over several columns, where they tell these apart in
 * words. A row of values is always left.
 */
export function headRowsOf(rows: readonly (readonly string[])[]): number {
  let count = 1;
  for (; count < rows.length - 1; count += 1) {
    const row = rows[count]!;
    const runs = mergedRuns(rows[count - 1]!);
    const tellsApart = runs.every(([from, to]) => new Set(row.slice(from, to)).size > 1);
    if (runs.length === 0 || !tellsApart || row.some(isNumber)) break;
  }
  return Math.min(count, rows.length);
}

/**
 * The canonical text of a sheet by its tables, in order. `at` is the place of its first code unit, and places are counted from there. Borders of
 * cells and the ends of rows belong to no cell.
 */
export function blocksOf(text: string, at: number): readonly SheetBlock[] {
  const blocks: SheetBlock[] = [];
  let from = 0;
  for (const line of text.split('\n')) {
    const stretch = { from: at + from, to: at + from + line.length };
    const cells = line.includes(BORDER) ? cellsOf(line, stretch.from) : undefined;
    const last = blocks.at(-1);
    if (cells === undefined) {
      if (last === undefined || 'rows' in last) blocks.push(stretch);
      else blocks[blocks.length - 1] = { ...last, to: stretch.to };
    } else if (last !== undefined && 'rows' in last) {
      blocks[blocks.length - 1] = { ...last, to: stretch.to, rows: [...last.rows, cells] };
    } else {
      blocks.push({ ...stretch, rows: [cells], hasHeads: last !== undefined || at === 0 });
    }
    from += line.length + 1;
  }
  return blocks.filter((block) => 'rows' in block || text.slice(block.from - at, block.to - at).trim() !== '');
}

/**
 * The same of a text in which a line with borders may also be a sentence: only rows that follow each other with as many cells are a table. Empty lines
 * around it belong to no block.
 */
export function tabledBlocksOf(text: string, at: number): readonly SheetBlock[] {
  const isTable = (block: SheetBlock): boolean =>
    'rows' in block && block.rows.length > 1 && block.rows.every((row) => row.length === block.rows[0]!.length);
  return joinedBlocks(
    blocksOf(text, at).map((block) => (isTable(block) ? block : { from: block.from, to: block.to })),
    text,
    at,
  );
}

/** Texts that follow each other as one, without the empty lines between a text and a table. */
export function joinedBlocks(blocks: readonly SheetBlock[], text: string, at: number): readonly SheetBlock[] {
  const joined: SheetBlock[] = [];
  for (const block of blocks) {
    const last = joined.at(-1);
    const isText = last !== undefined && !('rows' in last) && !('rows' in block);
    if (isText) joined[joined.length - 1] = { from: last.from, to: block.to };
    else joined.push(block);
  }
  return joined.flatMap((block, nth) => {
    if ('rows' in block) return [block];
    const [before, after] = [nth > 0, nth < joined.length - 1];
    const words = text.slice(block.from - at, block.to - at);
    const from = before ? block.from + /^\n*/.exec(words)![0].length : block.from;
    const to = after ? block.from + words.trimEnd().length : block.to;
    return from < to ? [{ from, to }] : [];
  });
}

function cellsOf(line: string, at: number): readonly Stretch[] {
  let from = at;
  return line.split(BORDER).map((cell) => {
    const stretch = { from, to: from + cell.length };
    from += cell.length + BORDER.length;
    return stretch;
  });
}
