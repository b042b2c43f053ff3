import type { LayoutCell, Rect } from '@llamaindex/liteparse';
import { mayBeLabel } from '../../sheets/table-signs.js';

type Row = readonly LayoutCell[];

/** Lines of text above the header that are looked at. */
const MOST_LINES = 3;
const LEAST_ROWS = 2;
const LEAST_COLUMNS = 2;
/** Space between two words of a line, by the height of its letters. */
const WORD_GAP = 0.6;
/** How much larger a title is than the rows below it. */
const LARGER = 1.15;
/** Of the width of a column, what a line reaches over that is not in it. */
const LEAST_REACH = 0.5;

/**
 * How many first rows of a table are lines of the text above it: the words of each follow each other as those of a sentence do and reach over columns that they
 * are not in, and below them is a row of labels. Titles and groups of columns stand apart, and are none.
 */
export function countLinesAbove(rows: readonly Row[]): number {
  const width = Math.max(0, ...rows.map(({ length }) => length));
  if (width < LEAST_COLUMNS) return 0;
  const labels = rows.slice(0, MOST_LINES + 1).findIndex((row) => isLabels(row, width));
  if (labels < 1 || rows.length - labels - 1 < LEAST_ROWS) return 0;
  const columns = columnsOf(rows.slice(labels), width);
  const lines = rows.slice(0, labels);
  const areLines = lines.every((row) => isLine(row)) && lines.some((row) => reachesOver(row, columns));
  return areLines ? labels : 0;
}

/** Whether the first row is one line in larger type than all others, above a row of labels: a heading right above the table. */
export function isTitleAbove([first = [], ...others]: readonly Row[]): boolean {
  const width = Math.max(0, ...others.map(({ length }) => length));
  if (others.length <= LEAST_ROWS || !isLabels(others[0]!, width) || !isLine(first)) return false;
  const heights = others.flatMap((row) =>
    row.flatMap(({ text, bbox }) => (text.trim() === '' ? [] : (bbox?.height ?? []))),
  );
  const least = Math.min(...first.flatMap(({ text, bbox }) => (text.trim() === '' ? [] : (bbox?.height ?? []))));
  return heights.length > 0 && least >= Math.max(...heights) * LARGER;
}

function isLabels(row: Row, width: number): boolean {
  return row.length === width && row.every(({ text }, at) => text.trim() !== '' && mayBeLabel(text, at));
}

/** Whether several cells are the words of one line. */
function isLine(row: Row): boolean {
  const boxes = row.flatMap(({ text, bbox }) => (text.trim() === '' || bbox === undefined ? [] : bbox));
  if (boxes.length < LEAST_COLUMNS) return false;
  return boxes.slice(1).every((box, at) => {
    const before = boxes[at]!;
    const gap = box.x - (before.x + before.width);
    return gap >= 0 && gap <= Math.max(box.height, before.height) * WORD_GAP;
  });
}

function reachesOver(row: Row, columns: readonly (Pick<Rect, 'x' | 'width'> | undefined)[]): boolean {
  return row.some(
    ({ text, bbox }, own) =>
      bbox !== undefined &&
      text.trim() !== '' &&
      columns.some(
        (column, at) => at !== own && column !== undefined && overlap(bbox, column) > column.width * LEAST_REACH,
      ),
  );
}

function overlap(one: Pick<Rect, 'x' | 'width'>, other: Pick<Rect, 'x' | 'width'>): number {
  return Math.min(one.x + one.width, other.x + other.width) - Math.max(one.x, other.x);
}

/** How far the texts of each column reach; undefined where it has none. */
function columnsOf(rows: readonly Row[], width: number): (Pick<Rect, 'x' | 'width'> | undefined)[] {
  return Array.from({ length: width }, (_, column) => {
    const boxes = rows.flatMap((row) => row[column]?.bbox ?? []);
    if (boxes.length === 0) return undefined;
    const x = Math.min(...boxes.map((box) => box.x));
    return { x, width: Math.max(...boxes.map((box) => box.x + box.width)) - x };
  });
}
