import { blockBorder, lineBorder, sentenceBorder, type CutRange, type Passage, type Stretch } from './borders.js';
import { advanceByWeight, retreatByWeight, weigh } from './count-tokens.js';
import { introduces, isRigid, type Run } from './run.js';
import type { ChunkingRules } from './strategies.js';
import { limitToUnits, TINY_UNIT } from './units.js';

/** A rest of up to this many chunk sizes is cut in the middle, so that its last part is no crumb. */
const BALANCED_REST = 1.75;

/** A cut, and whether the next chunk may repeat text before it. */
export interface Cut {
  at: number;
  overlaps: boolean;
}

/** Where the chunk that begins at `stretch.start` ends. The cut lies behind `stretch.fresh`. */
export function chooseCut(passage: Passage, open: Stretch, rules: ChunkingRules): Cut {
  const { text, base } = passage;
  const stretch = rules.keepsUnits ? limitToUnits(passage, open, rules.maxWeight) : open;
  const { start, fresh, end } = stretch;
  const total = stretch.closed ? weigh(text, start - base, end - base) : Infinity;
  if (stretch.closed && total <= rules.maxWeight) return { at: end, overlaps: false };

  const high = base + advanceByWeight(text, start - base, end - base, rules.maxWeight);
  const before = cutBeforeTable(passage, fresh, high, rules);
  if (before >= 0) return { at: before, overlaps: false };

  const at = (weight: number): number => base + advanceByWeight(text, start - base, high - base, weight);
  const balanced = stretch.closed && total <= rules.maxWeight * BALANCED_REST;
  const least = balanced
    ? Math.min(Math.max(total * 0.3, total + rules.overlapWeight - rules.maxWeight), rules.maxWeight * 0.8)
    : rules.maxWeight / 2;
  const low = Math.max(at(least), fresh + 1);
  const target = balanced ? Math.max(low, at((total + rules.overlapWeight) / 2)) : high;
  const lowest = Math.max(
    at(Math.max(rules.maxWeight * TINY_UNIT, balanced ? total + rules.overlapWeight - rules.maxWeight : 0)),
    fresh + 1,
  );
  const range = { low, high, target, lowest: Math.min(low, lowest) };
  const whole = rules.keepsUnits ? findBetweenUnits(passage, range, rules, fresh) : -1;
  const cut = whole >= 0 ? whole : findCut(passage, range, rules, fresh);
  return { at: cut, overlaps: !passage.runs.some((run) => run.start === cut) };
}

/** A cut that leaves every block whole that fits into a chunk, if need be at the price of a short chunk; else -1. */
function findBetweenUnits(
  passage: Passage,
  range: Omit<CutRange, 'keepWhole'> & { lowest: number },
  rules: ChunkingRules,
  fresh: number,
): number {
  const { runs } = passage;
  const keepWhole = [
    ...wholes(runs, (run) => run.kind === 'heading'),
    ...introductions(passage, rules),
    ...runs.filter((run) => fits(run, passage, fresh, rules.maxWeight)).map(({ start, end }) => [start, end] as const),
  ];
  const isInRows = runs.some((run) => isRigid(run) && run.start < range.high && run.end > range.high);
  for (const border of isInRows ? rules.unitBorders.filter((one) => one !== sentenceBorder) : rules.unitBorders) {
    const at = border(passage, { ...range, keepWhole });
    if (at >= 0) return at;
  }
  const low = range.lowest;
  const between = blockBorder(passage, { ...range, low, keepWhole });
  return between >= 0 || !isInRows ? between : lineBorder(passage, { ...range, low: fresh + 1, keepWhole });
}

/** Where the repeated text of the next chunk begins; the cut itself when nothing is to be repeated. */
export function chooseOverlap(passage: Passage, start: number, cut: number, rules: ChunkingRules): number {
  const { text, base } = passage;
  const last = passage.runs.findLast((run) => run.start < cut);
  if (rules.overlapWeight === 0 || last === undefined || isRigid(last)) return cut;
  const low = base + retreatByWeight(text, start + 1 - base, cut - base, rules.overlapWeight);
  if (low >= cut) return cut;
  const range = { low, high: cut - 1, target: low, keepWhole: wholes(passage.runs, () => true) };
  for (const border of rules.overlapBorders) {
    const at = border(passage, range);
    if (at >= 0) return at;
  }
  return cut;
}

/** The cut before a table or a code block that would be cut by the limit but fits into a chunk of its own; else -1. */
function cutBeforeTable(passage: Passage, fresh: number, high: number, rules: ChunkingRules): number {
  const { runs } = passage;
  const { maxWeight, keepsIntroductions = false } = rules;
  const leads = (run: Run): boolean =>
    run.kind === 'heading' || run.kind === 'caption' || (keepsIntroductions && introduces(run, passage));
  let index = runs.findIndex((run) => run.start < high && run.end > high);
  const rigid = runs[index];
  if (rigid === undefined || !isRigid(rigid) || !fits(rigid, passage, fresh, maxWeight)) return -1;
  while (index > 0 && leads(runs[index - 1]!)) index--;
  const cut = (runs[index] as Run).start;
  return cut > fresh ? cut : -1;
}

/** True for a run that has not been cut yet and is no longer than a chunk. */
function fits(run: Run, passage: Passage, fresh: number, maxWeight: number): boolean {
  const { text, base } = passage;
  if (run.start < fresh || run.end - base > text.length) return false;
  return weigh(text, run.start - base, run.end - base) <= maxWeight;
}

/** Tries to keep tables, code and headings with their text whole, then headings only, then cuts anywhere. */
function findCut(passage: Passage, range: Omit<CutRange, 'keepWhole'>, rules: ChunkingRules, fresh: number): number {
  const { runs } = passage;
  const { borders, maxWeight } = rules;
  const headings = [...wholes(runs, (run) => run.kind === 'heading'), ...introductions(passage, rules)];
  const tables = wholes(runs, (run) => isRigid(run) && fits(run, passage, fresh, maxWeight));
  for (const keepWhole of [[...headings, ...tables], headings, []]) {
    for (const border of borders) {
      const at = border(passage, { ...range, keepWhole });
      if (at >= 0) return at;
    }
  }
  return range.high;
}

/** Open intervals that reach from a line that introduces something into what it introduces, for rules that keep them together. */
function introductions(passage: Passage, { keepsIntroductions }: ChunkingRules): [number, number][] {
  if (keepsIntroductions !== true) return [];
  return passage.runs.flatMap((run, at): [number, number][] => {
    const next = passage.runs[at + 1];
    const isOpening = next !== undefined && (next.kind === 'list_item' || isRigid(next)) && introduces(run, passage);
    return isOpening ? [[run.start, next.start + 1]] : [];
  });
}

/** Open intervals of the runs to keep whole; a heading's reaches into the text below it. */
function wholes(runs: readonly Run[], keeps: (run: Run) => boolean): [number, number][] {
  const intervals: [number, number][] = [];
  for (const [i, run] of runs.entries()) {
    if (run.kind === 'heading' && keeps(run)) intervals.push([run.start, (runs[i + 1]?.start ?? run.end) + 1]);
    else if (isRigid(run) && keeps(run)) intervals.push([run.start, run.end]);
  }
  return intervals;
}
