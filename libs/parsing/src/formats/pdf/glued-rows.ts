import type { LayoutBlock, LayoutCell, ParsedPage, Rect, TextItem } from '@llamaindex/liteparse';
import { boxAround, columnEdges, wordsOfTexts, type PlacedText } from './grid-cells.js';
import { linesOf } from './page-lines.js';
import { isAtAngle } from './turned-pages.js';

/** Amounts, counts and days, also with a minus behind or in brackets. */
const NUMBER = /^[-+(−]?\s?(?:[A-Z]{3}\s|[€$£]\s?)?\d[\d.,'’:/\s-]*[-)%−]?(?:\s?(?:[A-Z]{3}|[€$£]|[SHCD]))?$/u;
const MOST_ITEMS = 5_000;
const TOLERANCE = 3;
/** Columns in which two lines of one row have numbers. */
const LEAST_GLUED = 2;
const LEAST_COLUMNS = 3;
/** Lines of one row are nearer than rows are, by this much. */
const NEARER = 0.9;
/** Rules within a table part its rows. */
const MOST_RULES = 2;

/**
 * Parts rows that the layout has made of two lines of a table without rules, as account statements are: two lines that both have numbers in the same two
 * columns, and stand no nearer than rows do, are two rows. A line without a number, or with one text alone, goes on with the row above it.
 */
export function withOwnRows(page: ParsedPage): ParsedPage {
  const blocks = page.blocks ?? [];
  if (page.textItems.length > MOST_ITEMS) return page;
  let hasChanged = false;
  const parted = blocks.map((block) => {
    const table = block.kind === 'table' ? partedTable(block, blocks, page.textItems) : undefined;
    hasChanged ||= table !== undefined;
    return table ?? block;
  });
  return hasChanged ? { ...page, blocks: parted } : page;
}

function partedTable(
  block: LayoutBlock,
  blocks: readonly LayoutBlock[],
  all: readonly TextItem[],
): LayoutBlock | undefined {
  const { bbox } = block;
  const rows = [...(block.header === undefined ? [] : [block.header]), ...(block.rows ?? [])];
  const width = rows[0]?.length ?? 0;
  if (bbox === undefined || width < LEAST_COLUMNS) return undefined;
  const rules = blocks.filter(
    (other) => other.kind === 'rule' && other.bbox !== undefined && isInside(other.bbox, bbox),
  );
  if (rules.length > MOST_RULES) return undefined;
  const items = all.filter((item) => item.text.trim() !== '' && isAtAngle(item, 0) && isInside(item, bbox));
  if (items.length === 0 || !saysTheSame(items, rows)) return undefined;
  const xs = columnEdges(items, bbox);
  if (xs === undefined || xs.length - 1 !== width) return undefined;
  const lines = linesOf(items).map((line) => cellsOf(line, xs));
  return areGlued(lines, rows) ? tableOfLines(lines, xs, bbox) : undefined;
}

/** A line of the table, cell by cell. */
type Line = readonly (readonly PlacedText[])[];

function cellsOf(line: readonly PlacedText[], xs: readonly number[]): Line {
  const columns = xs.slice(1);
  return columns.map((edge, at) => line.filter(({ x }) => x < edge && (at === 0 || x >= columns[at - 1]!)));
}

/** Whether two lines that one row holds both have numbers in the same columns, and are as far apart as rows. */
function areGlued(lines: readonly Line[], rows: readonly (readonly LayoutCell[])[]): boolean {
  const places = lines.map((line) => boxAround(line.flat()).y);
  const tops = rows.map((row) => Math.min(...row.flatMap(({ bbox }) => (bbox === undefined ? [] : [bbox.y]))));
  const rowOf = places.map((y) => tops.findLastIndex((top) => top <= y + TOLERANCE));
  const within: number[] = [];
  const between: number[] = [];
  for (const [at, y] of places.entries()) {
    if (at > 0) (rowOf[at] === rowOf[at - 1] ? within : between).push(y - places[at - 1]!);
  }
  const least = Math.min(...between) * NEARER;
  return lines.some((line, at) => {
    if (at === 0 || rowOf[at] !== rowOf[at - 1] || places[at]! - places[at - 1]! < least) return false;
    const both = line.filter((cell, column) => isNumber(cell) && isNumber(lines[at - 1]![column]!));
    return both.length >= LEAST_GLUED;
  });
}

function tableOfLines(lines: readonly Line[], xs: readonly number[], bbox: Rect): LayoutBlock | undefined {
  const first = lines.findIndex((line) => line.some(isNumber));
  if (first < 1) return undefined;
  const rows: PlacedText[][][] = [];
  for (const [at, line] of lines.entries()) {
    const filled = line.filter((cell) => cell.length > 0).length;
    const begins = at === 0 || at === first || (at > first && filled > 1 && line.some(isNumber));
    if (begins) rows.push(line.map((cell) => [...cell]));
    else line.forEach((cell, column) => rows.at(-1)![column]!.push(...cell));
  }
  const cells = rows.map((row) => {
    const { y, height } = boxAround(row.flat());
    return row.map((cell, at): LayoutCell => {
      const place = { x: xs[at]!, y, width: xs[at + 1]! - xs[at]!, height };
      return { text: wordsOfTexts(cell), bbox: place };
    });
  });
  return { kind: 'table', header: cells[0], rows: cells.slice(1), bbox };
}

function isNumber(cell: readonly PlacedText[]): boolean {
  return cell.length > 0 && NUMBER.test(cell.map(({ text }) => text.trim()).join(' '));
}

/** Whether the texts are all that the table says: others may lie over it. */
function saysTheSame(items: readonly PlacedText[], rows: readonly (readonly LayoutCell[])[]): boolean {
  const lettersOf = (texts: readonly string[]): string => [...texts.join('').replace(/[\s-]/g, '')].toSorted().join('');
  return lettersOf(items.map(({ text }) => text)) === lettersOf(rows.flat().map(({ text }) => text));
}

function isInside({ x, y, width, height }: Rect, room: Rect): boolean {
  const [centre, middle] = [x + width / 2, y + height / 2];
  return (
    centre >= room.x - TOLERANCE &&
    centre <= room.x + room.width + TOLERANCE &&
    middle >= room.y - TOLERANCE &&
    middle <= room.y + room.height + TOLERANCE
  );
}
