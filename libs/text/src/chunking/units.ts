import { isWhitespace } from '../language/characters.js';
import type { Passage, Stretch } from './borders.js';
import { advanceByWeight, weigh } from './count-tokens.js';
import { isRigid } from './run.js';

/** A paragraph, or a line of one: what is not cut when it fits into a chunk. */
interface Unit {
  start: number;
  end: number;
}

/** A unit below this share of the chunk size is joined with what follows it, and at the end with what is before it. */
export const TINY_UNIT = 0.125;

/**
 * Ends the stretch where a unit that is too long for a chunk begins or ends, so that its parts are not mixed with its neighbours:
 * first by paragraphs, then, within one that is too long, by lines. Pieces of one thing are found better than the end of
 * one joined with the beginning of another.
 */
export function limitToUnits(passage: Passage, stretch: Stretch, maxWeight: number): Stretch {
  const { runs, text, base } = passage;
  const { fresh, end, closed } = stretch;
  const first = runs.find((run) => run.end > fresh);
  const isWhole = closed && first !== undefined && first.start >= fresh;
  if (isWhole && weigh(text, fresh - base, end - base) <= maxWeight) return stretch;
  const byRuns = limit(passage, stretch, runs, maxWeight);
  const holdsLong = runs.some(
    (run) =>
      run.end > fresh && run.start < byRuns.end && !isRigid(run) && isTooLong(passage, run, byRuns.end, maxWeight),
  );
  return holdsLong ? limit(passage, byRuns, linesOf(passage, byRuns), maxWeight) : byRuns;
}

function limit(passage: Passage, stretch: Stretch, units: readonly Unit[], maxWeight: number): Stretch {
  const { text, base } = passage;
  const { fresh, end } = stretch;
  const tiny = maxWeight * TINY_UNIT;
  const weightTo = (at: number): number => weigh(text, fresh - base, at - base);
  for (const [index, unit] of units.entries()) {
    if (unit.end <= fresh) continue;
    if (unit.start >= end) break;
    const isRest = unit.start < fresh;
    if (!isRest && !isTooLong(passage, unit, end, maxWeight)) continue;
    const before = isRest ? fresh : leadOf(passage, units, index);
    if (before > fresh && weightTo(before) >= tiny) return close(stretch, before);
    if (unit.end >= end) return stretch;
    if (isRest && weightTo(unit.end) < tiny) continue;
    const isTail = stretch.closed && weigh(text, unit.end - base, end - base) < tiny;
    return isTail ? stretch : close(stretch, unit.end);
  }
  return stretch;
}

function close(stretch: Stretch, end: number): Stretch {
  return { ...stretch, end, closed: true };
}

/** As far as the text is known up to `end`. */
function isTooLong({ text, base }: Passage, unit: Unit, end: number, maxWeight: number): boolean {
  const from = Math.max(unit.start - base, 0);
  const to = Math.min(unit.end, end) - base;
  return advanceByWeight(text, from, to, maxWeight) < to;
}

/** Start of the headings and captions right above a unit. */
function leadOf({ runs }: Passage, units: readonly Unit[], index: number): number {
  let at = index;
  while (units === runs && at > 0 && ['heading', 'caption'].includes(runs[at - 1]!.kind)) at--;
  return units[at]!.start;
}

/** The lines of the stretch that are not blank, from the one on which its fresh text lies. */
function linesOf({ text, base }: Passage, { fresh, end }: Stretch): Unit[] {
  const lines: Unit[] = [];
  let start = fresh - base;
  while (start > 0 && isWhitespace(text.charCodeAt(start - 1)) && text.charCodeAt(start - 1) !== 10) start--;
  if (start > 0 && text.charCodeAt(start - 1) !== 10) start--;
  for (let at = fresh - base; at <= end - base; at++) {
    if (at < end - base && text.charCodeAt(at) !== 10) continue;
    while (start < at && isWhitespace(text.charCodeAt(start))) start++;
    if (start < at) lines.push({ start: base + start, end: base + at });
    start = at + 1;
  }
  return lines;
}
