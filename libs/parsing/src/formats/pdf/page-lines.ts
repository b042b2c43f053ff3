import type { Rect } from '@llamaindex/liteparse';

/** Items that are on one line, from top to bottom, each line from the left. */
export function linesOf<T extends Rect>(items: readonly T[]): T[][] {
  const lines: T[][] = [];
  for (const item of items.toSorted((one, other) => one.y - other.y)) {
    const last = lines.at(-1)?.[0];
    if (last !== undefined && item.y + item.height / 2 < last.y + last.height) lines.at(-1)!.push(item);
    else lines.push([item]);
  }
  return lines.map((line) => line.toSorted((one, other) => one.x - other.x));
}
