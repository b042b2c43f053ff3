import type { LayoutBlock, LayoutCell, Rect, TextItem } from '@llamaindex/liteparse';
import { linesOf } from './page-lines.js';
import type { DrawnLine, RuledGrid } from './ruled-grids.js';

/** A text and where it lies. */
export type PlacedText = Pick<TextItem, 'text' | 'x' | 'y' | 'width' | 'height'>;

/** Points by which a text may reach over the rule beside it. */
const TOLERANCE = 2;
const MOST_ITEMS = 5_000;
const LEAST_COLUMNS = 2;
const LEAST_ROWS = 2;
/** Space between columns, by the height of letters; words of a line are nearer. */
const COLUMN_GAP = 0.8;
/** The distance of lines within a row and of rows, where lines are wrapped. */
const WRAPPED = 1.25;
const EVEN = 1.1;
const DIVIDED = /(?<=\p{L})-$/u;
const SMALL = /^\p{Ll}/u;

/** The table that rules make of the texts between them; undefined where a text lies over a rule, or in one column alone. */
export function tableOfGrid(grid: RuledGrid, texts: readonly PlacedText[]): LayoutBlock | undefined {
  if (texts.length === 0 || texts.length > MOST_ITEMS) return undefined;
  const { ys, level } = grid;
  const xs = grid.xs.length > 0 ? grid.xs : columnEdges(texts, grid.bbox);
  if (xs === undefined || xs.length <= LEAST_COLUMNS || ys.length <= LEAST_ROWS) return undefined;
  const cells = emptyCells(xs, ys);
  for (const text of texts) {
    const middle = text.y + text.height / 2;
    let row = bandOf(ys, middle);
    let column = bandOf(xs, text.x + TOLERANCE);
    const end = bandOf(xs, text.x + text.width - TOLERANCE);
    if (row < 0 || column < 0 || end < 0) return undefined;
    for (let at = column; at < end; at += 1) if (isUprightAt(grid, xs[at + 1]!, middle)) return undefined;
    // Merged cells: no rule parts this one from that before or above it.
    while (grid.xs.length > 0 && column > 0 && !isUprightAt(grid, xs[column]!, middle)) column -= 1;
    const centre = text.x + text.width / 2;
    while (row > 0 && !level.some((line) => isLevelAt(line, ys[row]!, centre))) row -= 1;
    cells[row]![column]!.push(text);
  }
  return tableBlock(cells, xs, ys, grid.bbox);
}

/**
 * The table of texts that no rules part: columns by the spaces between all of them, rows by larger spaces between lines, or each line where all have
 * one distance. Each row has a name in the first column; undefined where that is not so.
 */
export function tableOfTexts(texts: readonly PlacedText[]): LayoutBlock | undefined {
  if (texts.length === 0 || texts.length > MOST_ITEMS) return undefined;
  const box = boxAround(texts);
  const xs = columnEdges(texts, box);
  const lines = linesOf(texts);
  if (xs === undefined || xs.length <= LEAST_COLUMNS) return undefined;
  const gaps = lines.slice(1).map((line, at) => line[0]!.y - lines[at]![0]!.y);
  const least = Math.min(...gaps);
  const isEven = gaps.every((gap) => gap <= least * EVEN);
  if (!isEven && gaps.some((gap) => gap > least * EVEN && gap < least * WRAPPED)) return undefined;
  const rows: PlacedText[][] = [];
  for (const [at, line] of lines.entries()) {
    if (at === 0 || isEven || gaps[at - 1]! >= least * WRAPPED) rows.push([...line]);
    else rows.at(-1)!.push(...line);
  }
  const areNamed = rows.every((row) => {
    const name = row.find((text) => text.x + TOLERANCE < xs[1]!);
    return name !== undefined && !SMALL.test(name.text);
  });
  if (!areNamed || rows.length < LEAST_ROWS) return undefined;
  const ys = [...rows.map((row) => boxAround(row).y - TOLERANCE), box.y + box.height + TOLERANCE];
  const cells = emptyCells(xs, ys);
  for (const text of texts) cells[bandOf(ys, text.y + text.height / 2)]![bandOf(xs, text.x + TOLERANCE)]!.push(text);
  return tableBlock(cells, xs, ys, box);
}

/** The rectangle around some texts. */
export function boxAround(texts: readonly Rect[]): Rect {
  const x = Math.min(...texts.map((text) => text.x));
  const y = Math.min(...texts.map((text) => text.y));
  const right = Math.max(...texts.map((text) => text.x + text.width));
  return { x, y, width: right - x, height: Math.max(...texts.map((text) => text.y + text.height)) - y };
}

/** Edges of columns: the middles of what no text covers. */
export function columnEdges(texts: readonly PlacedText[], { x, width }: Rect): number[] | undefined {
  const least = COLUMN_GAP * Math.min(...texts.map(({ height }) => height));
  const edges: number[] = [Math.min(x, ...texts.map((text) => text.x))];
  let end = -Infinity;
  for (const text of texts.toSorted((one, other) => one.x - other.x)) {
    if (end > -Infinity && text.x - end >= least) edges.push((end + text.x) / 2);
    end = Math.max(end, text.x + text.width);
  }
  edges.push(Math.max(x + width, end));
  return edges.length > LEAST_COLUMNS ? edges : undefined;
}

function emptyCells(xs: readonly number[], ys: readonly number[]): PlacedText[][][] {
  return Array.from({ length: ys.length - 1 }, () => Array.from({ length: xs.length - 1 }, () => []));
}

/** The number of the band between two edges that holds a place; -1 outside. */
function bandOf(edges: readonly number[], place: number): number {
  if (place < edges[0]! - TOLERANCE || place > edges.at(-1)! + TOLERANCE) return -1;
  const next = edges.findIndex((edge, at) => at > 0 && place < edge);
  return next < 0 ? edges.length - 2 : next - 1;
}

function isUprightAt({ upright }: RuledGrid, x: number, y: number): boolean {
  return upright.some((line) => Math.abs(line.x1 - x) <= TOLERANCE && line.y1 <= y && line.y2 >= y);
}

function isLevelAt(line: DrawnLine, y: number, x: number): boolean {
  return Math.abs(line.y1 - y) <= TOLERANCE && line.x1 <= x && line.x2 >= x;
}

/** Rows and columns without a word are none of the table. */
function tableBlock(
  cells: readonly (readonly PlacedText[][])[],
  xs: readonly number[],
  ys: readonly number[],
  bbox: Rect,
): LayoutBlock | undefined {
  const columns = xs.slice(1).flatMap((_x, at) => (cells.some((row) => row[at]!.length > 0) ? at : []));
  const rows = cells.flatMap((row, at): LayoutCell[][] => {
    if (row.every(({ length }) => length === 0)) return [];
    return [
      columns.map((column) => ({
        text: wordsOfTexts(row[column]!),
        bbox: { x: xs[column]!, y: ys[at]!, width: xs[column + 1]! - xs[column]!, height: ys[at + 1]! - ys[at]! },
      })),
    ];
  });
  if (columns.length < LEAST_COLUMNS || rows.length < LEAST_ROWS) return undefined;
  return { kind: 'table', header: rows[0], rows: rows.slice(1), bbox };
}

/** The words of a cell; as the reader does, without the hyphen at the end of a line before a small letter. */
export function wordsOfTexts(texts: readonly PlacedText[]): string {
  const lines = linesOf(texts).map((line) => line.map(({ text }) => text.trim()).join(' '));
  return lines.reduce((all, line) => {
    if (all === '') return line;
    return DIVIDED.test(all) && SMALL.test(line) ? all.slice(0, -1) + line : `${all} ${line}`;
  }, '');
}
