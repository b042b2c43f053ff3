import { fencedStretches, TABLE_BAR, TABLE_ROW, TABLE_RULE } from './markdown-marks.js';
import { joinedBlocks, type SheetBlock } from './sheet-rows.js';
import type { Stretch } from './text-pieces.js';

/** A search has no place from which it goes on, as the test of a global pattern has. */
const fits = (line: string, pattern: RegExp): boolean => line.search(pattern) !== -1;

interface Line extends Stretch {
  readonly text: string;
  readonly isRow: boolean;
}

/**
 * A stretch of Markdown by its tables, in order: a table has a line below its heads, or goes on where the stretch begins. `text` holds the stretch, and
 * its first code unit is `start` of the whole; places are counted as those of the stretch.
 */
export function markdownBlocksOf(text: string, start: number, stretch: Stretch): readonly SheetBlock[] {
  const lines = linesOf(text, start, stretch);
  const blocks: SheetBlock[] = [];
  for (let nth = 0; nth < lines.length;) {
    let end = nth;
    while (lines[end]?.isRow === true) end += 1;
    const run = lines.slice(nth, end);
    const table = tableOf(run, nth === 0);
    const taken = table === undefined ? Math.max(1, run.length) : run.length;
    const [first, last] = [lines[nth]!, lines[nth + taken - 1]!];
    blocks.push(table ?? { from: first.from, to: last.to });
    nth += taken;
  }
  return joinedBlocks(blocks, text.slice(stretch.from - start, stretch.to - start), stretch.from);
}

function linesOf(text: string, start: number, { from, to }: Stretch): readonly Line[] {
  const code = fencedStretches(text).map((one) => ({ from: start + one.start, to: start + one.end }));
  let at = from;
  return text
    .slice(from - start, to - start)
    .split('\n')
    .map((line) => {
      const place = { from: at, to: at + line.length };
      at = place.to + 1;
      const isCode = code.some((one) => one.from <= place.from && one.to > place.from);
      return { ...place, text: line, isRow: !isCode && fits(line, TABLE_ROW) };
    });
}

/** Undefined where rows are none of a table. */
function tableOf(run: readonly Line[], isFirst: boolean): SheetBlock | undefined {
  const ruleAt = run.findIndex(({ text }) => fits(text, TABLE_RULE));
  const hasHeads = ruleAt === 1;
  const isTable = hasHeads || (isFirst && run.length > (ruleAt === 0 ? 1 : 0));
  if (!isTable) return undefined;
  const rows = run.filter(({ text }) => !fits(text, TABLE_RULE)).map(cellsOf);
  return { from: run[0]!.from, to: run.at(-1)!.to, rows, hasHeads };
}

/** What stands between the bars, without the spaces around. */
function cellsOf({ text, from }: Line): readonly Stretch[] {
  const bars = [...text.matchAll(TABLE_BAR)];
  return bars.slice(0, -1).map(({ index, 0: bar }, nth) => {
    const begin = index + bar.length;
    return { from: from + begin, to: from + Math.max(begin, bars[nth + 1]!.index) };
  });
}
