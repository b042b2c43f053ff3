import type { Rect } from '@llamaindex/liteparse';

/** A rule that is drawn on a page, or the edge of a shape that is filled. */
export interface DrawnLine {
  readonly x1: number;
  readonly y1: number;
  readonly x2: number;
  readonly y2: number;
}

/** The rules of a table: places of its columns and rows, and the lines between them. */
export interface RuledGrid {
  readonly bbox: Rect;
  /** Edges of columns from left to right; none where rules part rows alone. */
  readonly xs: readonly number[];
  /** Edges of rows from top to bottom. */
  readonly ys: readonly number[];
  readonly upright: readonly DrawnLine[];
  readonly level: readonly DrawnLine[];
}

/** Points by which lines miss each other that are meant to meet. */
const NEAR = 2.5;
/** A page with more lines is a drawing. */
const MOST_LINES = 600;
/** Edges, also the outer ones. */
const LEAST_EDGES = 3;
const LEAST_COLUMN = 6;

/** The grids on a page: lines that meet, with two columns and two rows at least; and stacks of level lines of one length, which part rows. */
export function ruledGrids(drawn: readonly DrawnLine[]): RuledGrid[] {
  const lines = drawn.map(straightened).filter(({ x1, y1, x2, y2 }) => x1 !== x2 || y1 !== y2);
  if (lines.length > MOST_LINES) return [];
  const upright = lines.filter(({ x1, x2 }) => x1 === x2);
  const level = lines.filter(({ y1, y2 }) => y1 === y2);
  const grids: RuledGrid[] = [];
  const loose: DrawnLine[] = [];
  for (const group of groupsOf(upright, level)) {
    const grid = gridOf(group);
    if (grid === undefined) loose.push(...group.level);
    else grids.push(grid);
  }
  return [...grids, ...stacksOf(loose)];
}

/** A line from left to right and top to bottom, exactly upright or level where it nearly is. */
function straightened({ x1, y1, x2, y2 }: DrawnLine): DrawnLine {
  const [left, right] = [Math.min(x1, x2), Math.max(x1, x2)];
  const [top, bottom] = [Math.min(y1, y2), Math.max(y1, y2)];
  if (right - left <= 1) return { x1: (left + right) / 2, y1: top, x2: (left + right) / 2, y2: bottom };
  if (bottom - top <= 1) return { x1: left, y1: (top + bottom) / 2, x2: right, y2: (top + bottom) / 2 };
  return { x1: 0, y1: 0, x2: 0, y2: 0 };
}

interface LineGroup {
  readonly upright: DrawnLine[];
  readonly level: DrawnLine[];
}

/** Lines that meet others, directly or by further ones. */
function groupsOf(upright: readonly DrawnLine[], level: readonly DrawnLine[]): LineGroup[] {
  const waiting = new Set<DrawnLine>([...upright, ...level]);
  const groups: LineGroup[] = [];
  for (const start of [...level, ...upright]) {
    if (!waiting.delete(start)) continue;
    const group: LineGroup = { upright: [], level: [] };
    const reached = [start];
    for (let line = reached.pop(); line !== undefined; line = reached.pop()) {
      const isUpright = line.x1 === line.x2;
      (isUpright ? group.upright : group.level).push(line);
      for (const other of isUpright ? level : upright) {
        if (waiting.has(other) && meet(isUpright ? line : other, isUpright ? other : line)) {
          waiting.delete(other);
          reached.push(other);
        }
      }
    }
    groups.push(group);
  }
  return groups;
}

function meet(upright: DrawnLine, level: DrawnLine): boolean {
  return (
    upright.x1 >= level.x1 - NEAR &&
    upright.x1 <= level.x2 + NEAR &&
    level.y1 >= upright.y1 - NEAR &&
    level.y1 <= upright.y2 + NEAR
  );
}

function gridOf({ upright, level }: LineGroup): RuledGrid | undefined {
  const xs = places(upright.map(({ x1 }) => x1));
  const ys = places(level.map(({ y1 }) => y1));
  if (xs.length < LEAST_EDGES || ys.length < LEAST_EDGES) return undefined;
  return { xs, ys, upright, level, bbox: boxOf(xs, ys) };
}

/** Level lines of one length below each other; what is above the first one is the row of its names. */
function stacksOf(level: readonly DrawnLine[]): RuledGrid[] {
  const stacks: DrawnLine[][] = [];
  for (const line of level.toSorted((one, other) => one.y1 - other.y1)) {
    const stack = stacks.find(
      ([first]) => Math.abs(first!.x1 - line.x1) <= NEAR && Math.abs(first!.x2 - line.x2) <= NEAR,
    );
    if (stack === undefined) stacks.push([line]);
    else stack.push(line);
  }
  return stacks.flatMap((lines) => {
    const ys = places(lines.map(({ y1 }) => y1));
    if (ys.length < LEAST_EDGES) return [];
    const { x1, x2 } = lines[0]!;
    return { xs: [], ys, upright: [], level: lines, bbox: boxOf([x1, x2], ys) };
  });
}

/** Different places in order; those next to each other are one. */
function places(all: readonly number[]): number[] {
  const different: number[] = [];
  for (const place of all.toSorted((one, other) => one - other)) {
    if (place - (different.at(-1) ?? -Infinity) >= LEAST_COLUMN) different.push(place);
  }
  return different;
}

function boxOf(xs: readonly number[], ys: readonly number[]): Rect {
  const [x, y] = [xs[0]!, ys[0]!];
  return { x, y, width: xs.at(-1)! - x, height: ys.at(-1)! - y };
}
