import type { LayoutBlock, ParsedPage, Rect, TextItem } from '@llamaindex/liteparse';
import { boxAround, tableOfGrid, tableOfTexts } from './grid-cells.js';
import { linesOf } from './page-lines.js';
import { ruledGrids, type RuledGrid } from './ruled-grids.js';
import { isAtAngle } from './turned-pages.js';

/** A page whose tables are whole, and whether one of them could not be made so. */
export interface WholeTables {
  readonly page: ParsedPage;
  readonly isTorn: boolean;
}

/** Reads a page once more, with its rules and the place of each word. */
export type ReadDrawn = (page: number) => Promise<Pick<ParsedPage, 'textItems' | 'vectorGraphics'> | undefined>;

type PlacedBlock = LayoutBlock & { readonly bbox: Rect };

/** A page with more blocks is looked at no further. */
const MOST_BLOCKS = 400;
const TOLERANCE = 3;
/** Of the smaller of two tables, what both cover. */
const LEAST_SHARED = 0.5;
/** Rules of one length, from which on they part the rows of a table. */
const LEAST_RULES = 3;
/** Of the width of a table, what a rule below its names is. */
const LEAST_RULED = 0.8;
const LEAST_COLUMNS = 3;
/** Names of columns above the first of such rules. */
const MOST_HEAD_POINTS = 40;
const LEAST_HEADS = 2;

/**
 * Puts tables together whose columns the layout took for columns of the page: it then has the first column as a table with empty cells, and the others as
 * headings and paragraphs beside it. What lies between the rules of a table is one, and so are rows without rules whose texts share lines.
 */
export async function withWholeTables(page: ParsedPage, readDrawn: ReadDrawn): Promise<WholeTables> {
  const blocks = (page.blocks ?? []).filter(isPlaced);
  const torn = blocks.length > MOST_BLOCKS ? [] : tornRegions(blocks, page.textItems);
  if (torn.length === 0) return { page, isTorn: false };
  const drawn = await readDrawn(page.pageNum);
  const items = (drawn?.textItems ?? page.textItems).filter((item) => isAtAngle(item, 0) && item.text.trim() !== '');
  let all: readonly LayoutBlock[] = page.blocks ?? [];
  for (const grid of ruledGrids(drawn?.vectorGraphics?.lines ?? [])) {
    if (torn.some((region) => overlap(region, grid.bbox) > 0)) all = withGrid(all, grid, items);
  }
  for (const region of tornRegions(all.filter(isPlaced), page.textItems)) {
    all = withTable(all, region, tableOfTexts(itemsIn(items, region)));
  }
  const isTorn = tornRegions(all.filter(isPlaced), page.textItems).some(({ isOfRules }) => !isOfRules);
  return { page: { ...page, blocks: all === page.blocks ? page.blocks : inOrder(all) }, isTorn };
}

interface TornRegion extends Rect {
  /** Found by rules alone: it may hold no table. */
  readonly isOfRules: boolean;
}

/** Where text is within a table or beside it on its lines, tables lie over each other, or rules lie below what is side by side. */
function tornRegions(blocks: readonly PlacedBlock[], items: readonly TextItem[]): TornRegion[] {
  const regions: TornRegion[] = [];
  const texts = blocks.filter(hasText);
  for (const table of texts) {
    if (table.kind !== 'table') continue;
    const parts = texts.filter((block) => block !== table && isPartOf(block, table, items));
    if (parts.length === 0) continue;
    regions.push({ ...boxAround([table.bbox, ...parts.map(({ bbox }) => bbox)]), isOfRules: false });
  }
  for (const rules of stacksOf(blocks)) {
    const stack = boxAround(rules);
    const within = texts.filter(({ bbox, kind }) => kind !== 'table' && isInside(centreOf(bbox), stack));
    if (within.some((one) => within.some((other) => other !== one && areBeside(one.bbox, other.bbox))))
      regions.push({ ...stack, isOfRules: true });
  }
  return [...regions, ...regionsUnderRules(blocks)];
}

/** What is side by side in three columns, with a rule below its first line over all of them. */
function regionsUnderRules(blocks: readonly PlacedBlock[]): TornRegion[] {
  const rules = blocks.filter(({ kind }) => kind === 'rule');
  const waiting = new Set(blocks.filter((block) => hasText(block) && block.kind !== 'table'));
  const regions: TornRegion[] = [];
  for (const start of rules.length === 0 ? [] : waiting) {
    if (!waiting.delete(start)) continue;
    const group = [start];
    for (const block of group) {
      for (const other of waiting) {
        if (!areBeside(block.bbox, other.bbox)) continue;
        waiting.delete(other);
        group.push(other);
      }
    }
    const box = boxAround(group.map(({ bbox }) => bbox));
    const isRuled = rules.some(
      ({ bbox }) => bbox.width >= box.width * LEAST_RULED && bbox.y > box.y && bbox.y < endOf(box),
    );
    if (isRuled && columnsOf(group) >= LEAST_COLUMNS) regions.push({ ...box, isOfRules: true });
  }
  return regions;
}

function columnsOf(blocks: readonly PlacedBlock[]): number {
  let [count, end] = [0, -Infinity];
  for (const { bbox } of blocks.toSorted((one, other) => one.bbox.x - other.bbox.x)) {
    if (bbox.x >= end) count += 1;
    end = Math.max(end, bbox.x + bbox.width);
  }
  return count;
}

function isPartOf(block: PlacedBlock, table: PlacedBlock, items: readonly TextItem[]): boolean {
  if (block.kind === 'table') {
    const smaller = Math.min(areaOf(block.bbox), areaOf(table.bbox));
    return overlap(block.bbox, table.bbox) > smaller * LEAST_SHARED;
  }
  if (isInside(centreOf(block.bbox), table.bbox)) return true;
  const { y, height } = block.bbox;
  const isOnIts = y >= table.bbox.y - TOLERANCE && y + height <= table.bbox.y + table.bbox.height + TOLERANCE;
  if (!isOnIts || !areBeside(block.bbox, table.bbox)) return false;
  const own = itemsIn(items, table.bbox);
  const beside = linesOf(itemsIn(items, block.bbox));
  return beside.length > 0 && beside.every(([item]) => own.some((other) => Math.abs(other.y - item!.y) <= TOLERANCE));
}

/** Rules of one length that are below each other. */
function stacksOf(blocks: readonly PlacedBlock[]): Rect[][] {
  const stacks: Rect[][] = [];
  for (const { kind, bbox } of blocks) {
    if (kind !== 'rule') continue;
    const stack = stacks.find(
      ([first]) => Math.abs(first!.x - bbox.x) <= 1 && Math.abs(first!.width - bbox.width) <= 1,
    );
    if (stack === undefined) stacks.push([bbox]);
    else stack.push(bbox);
  }
  return stacks.filter(({ length }) => length >= LEAST_RULES);
}

/** Blocks with the table of a grid instead of what lies in it, where that is more than one block. */
function withGrid(blocks: readonly LayoutBlock[], grid: RuledGrid, items: readonly TextItem[]): readonly LayoutBlock[] {
  const room = grid.xs.length > 0 ? grid : withHead(grid, items);
  const within = itemsIn(items, room.bbox);
  return withTable(blocks, room.bbox, tableOfGrid(room, within) ?? tableOfGrid(room, within.flatMap(wordsOf)));
}

/** A stack of rules with the row above it, where a line of text is near there. */
function withHead(grid: RuledGrid, items: readonly TextItem[]): RuledGrid {
  const [first, second] = grid.ys;
  const { x, y, width, height } = grid.bbox;
  const above = Math.min(second! - first!, MOST_HEAD_POINTS);
  const band = { x, y: y - above, width, height: above };
  const heads = itemsIn(items, band);
  if (linesOf(heads).at(-1)?.length === 1 || heads.length < LEAST_HEADS) return grid;
  return { ...grid, ys: [band.y, ...grid.ys], bbox: { x, y: band.y, width, height: height + above } };
}

function wordsOf(item: TextItem): Pick<TextItem, 'text' | 'x' | 'y' | 'width' | 'height'>[] {
  return item.words === undefined || item.words.length === 0 ? [item] : [...item.words];
}

/** Blocks with a table instead of those within it; as they are where one reaches over its edge. */
function withTable(blocks: readonly LayoutBlock[], room: Rect, table: LayoutBlock | undefined): readonly LayoutBlock[] {
  if (table === undefined) return blocks;
  const replaced = new Set(blocks.filter((block) => isPlaced(block) && isInside(centreOf(block.bbox), room)));
  const touched = blocks.filter(isPlaced).filter((block) => hasText(block) && overlap(block.bbox, room) > 0);
  if (touched.length < 2 || touched.some(({ bbox }) => !isWithin(bbox, room))) return blocks;
  const first = blocks.findIndex((block) => replaced.has(block));
  return blocks.flatMap((block, at) => (at === first ? [table] : replaced.has(block) ? [] : [block]));
}

/** From top to bottom, where no two blocks stand side by side: columns of the page were those of its tables. */
function inOrder(blocks: readonly LayoutBlock[]): LayoutBlock[] {
  const texts = blocks.filter(hasText);
  const placed = texts.filter(isPlaced);
  if (placed.length < texts.length) return [...blocks];
  const sorted = placed.toSorted((one, other) => one.bbox.y - other.bbox.y);
  const isBelow = sorted.every((block, at) => at === 0 || block.bbox.y >= endOf(sorted[at - 1]!.bbox) - TOLERANCE);
  return isBelow ? sorted : [...blocks];
}

function itemsIn(items: readonly TextItem[], room: Rect): TextItem[] {
  return items.filter((item) => item.text.trim() !== '' && isInside(centreOf(item), room));
}

const isPlaced = (block: LayoutBlock): block is PlacedBlock => block.bbox !== undefined;
const hasText = ({ kind }: LayoutBlock): boolean => kind !== 'rule' && kind !== 'figure';
const centreOf = ({ x, y, width, height }: Rect): readonly [number, number] => [x + width / 2, y + height / 2];
const areaOf = ({ width, height }: Rect): number => width * height;
const endOf = ({ y, height }: Rect): number => y + height;

function isInside([x, y]: readonly [number, number], room: Rect): boolean {
  return x >= room.x && x <= room.x + room.width && y >= room.y && y <= endOf(room);
}

function isWithin({ x, y, width, height }: Rect, room: Rect): boolean {
  return (
    x >= room.x - TOLERANCE &&
    y >= room.y - TOLERANCE &&
    x + width <= room.x + room.width + TOLERANCE &&
    y + height <= endOf(room) + TOLERANCE
  );
}

/** The area that two rectangles share. */
function overlap(one: Rect, other: Rect): number {
  const width = Math.min(one.x + one.width, other.x + other.width) - Math.max(one.x, other.x);
  const height = Math.min(endOf(one), endOf(other)) - Math.max(one.y, other.y);
  return Math.max(0, width - 1) * Math.max(0, height - 1);
}

/** Whether two rectangles stand beside each other, at one height. */
function areBeside(one: Rect, other: Rect): boolean {
  const isApart = one.x + one.width <= other.x + TOLERANCE || other.x + other.width <= one.x + TOLERANCE;
  return isApart && Math.min(endOf(one), endOf(other)) - Math.max(one.y, other.y) > TOLERANCE;
}
