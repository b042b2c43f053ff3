import { alignToCodePoint, isWhitespace } from '../language/characters.js';
import { isSentenceMark, sentenceEndAt } from '../language/sentence-borders.js';
import type { Run } from './run.js';

/** The text in which a cut is sought. All positions are offsets in the canonical text. */
export interface Passage {
  text: string;
  /** Offset of the first character of `text`. */
  base: number;
  /** Runs of the passage in order. */
  runs: readonly Run[];
}

/** The stretch of text from which the next chunk is taken. */
export interface Stretch {
  /** Start of the chunk, repeated text included. */
  start: number;
  /** First text that no chunk has yet. */
  fresh: number;
  /** Text is known up to here, or the stretch ends here. */
  end: number;
  /** True when `end` is a border that no chunk crosses. */
  closed: boolean;
}

/** Where a cut may lie (`low <= cut <= high`), where it would be best, and what it must not cut. */
export interface CutRange {
  low: number;
  high: number;
  target: number;
  /** How low a cut may lie at need, where that is below `low`. */
  lowest?: number;
  /** Open intervals, ends excluded, that a cut must not fall into. */
  keepWhole: readonly (readonly [number, number])[];
}

/** Finds the border of its sort that is nearest to the target; -1 when there is none in the range. */
export type BorderFinder = (passage: Passage, range: CutRange) => number;

/** Characters on each side of the target that the word segmenter reads. */
const SEGMENTER_REACH = 96;

const segmenters = (['word', 'grapheme'] as const).map((granularity) => new Intl.Segmenter('und', { granularity }));

/** Before a heading. */
export const headingBorder: BorderFinder = (passage, range) =>
  nearestRun(passage, range, (previous, next) => next.kind === 'heading' && previous.kind !== 'heading');

/** Between blocks, except after a heading, inside a list, and between a table and its caption. */
export const blockBorder: BorderFinder = (passage, range) =>
  nearestRun(passage, range, (previous, next) => {
    if (previous.kind === 'heading') return false;
    if (previous.kind === 'list_item' && next.kind === 'list_item') return false;
    return previous.kind !== 'caption' && next.kind !== 'caption';
  });

/** After a blank line. */
export const paragraphBorder: BorderFinder = (passage, range) =>
  nearestLine(passage, range, (text, at) => {
    let i = at - 2;
    while (i >= 0 && text.charCodeAt(i) !== 10 && isWhitespace(text.charCodeAt(i))) i--;
    return i >= 0 && text.charCodeAt(i) === 10;
  });

/** After a line break. */
export const lineBorder: BorderFinder = (passage, range) => nearestLine(passage, range, () => true);

/** After a sentence of any script. */
export const sentenceBorder: BorderFinder = (passage, range) => {
  const { text, base } = passage;
  let best = -1;
  for (let i = range.low - base; i < range.high - base; i++) {
    if (!isSentenceMark(text.charCodeAt(i))) continue;
    const end = sentenceEndAt(text, i);
    if (end < 0) continue;
    const at = end + base;
    if (at > range.high) break;
    if (isNearer(at, best, range.target) && isAllowed(at, range)) best = at;
    i = end - 1;
  }
  return best;
};

/** Before white space. */
export const spaceBorder: BorderFinder = nearestSpace;

/** Between words as the Unicode rules and dictionaries see them; else between graphemes, code points at the worst. */
export const wordBorder: BorderFinder = (passage, range) => {
  const { text, base } = passage;
  const target = range.target - base;
  const from = alignToCodePoint(text, Math.max(0, target - SEGMENTER_REACH));
  const to = alignToCodePoint(text, Math.min(text.length, target + SEGMENTER_REACH));
  for (const segmenter of segmenters) {
    let best = -1;
    for (const { index } of segmenter.segment(text.slice(from, to))) {
      const at = base + from + index;
      if (index === 0 || at < range.low || at > range.high) continue;
      if (isNearer(at, best, range.target) && isAllowed(at, range)) best = at;
    }
    if (best >= 0) return best;
  }
  const at = base + alignToCodePoint(text, target);
  return at >= range.low && isAllowed(at, range) ? at : -1;
};

/** After a mark of the user's; the mark stays with the text before the cut. */
export function separatorBorder(separator: string): BorderFinder {
  return (passage, range) => {
    const from = Math.max(0, range.low - passage.base - separator.length);
    const window = passage.text.slice(from, range.high - passage.base);
    let best = -1;
    for (let i = window.indexOf(separator); i >= 0; i = window.indexOf(separator, i + separator.length)) {
      const at = passage.base + from + i + separator.length;
      if (at >= range.low && isNearer(at, best, range.target) && isAllowed(at, range)) best = at;
    }
    return best;
  };
}

/** Whether `at` is nearer to the target than the best so far. */
export function isNearer(at: number, best: number, target: number): boolean {
  return best < 0 || Math.abs(at - target) < Math.abs(best - target);
}

/** Whether a cut at `at` cuts nothing that is to be kept whole. */
export function isAllowed(at: number, range: CutRange): boolean {
  return !range.keepWhole.some(([start, end]) => at > start && at < end);
}

function nearestRun(passage: Passage, range: CutRange, accepts: (previous: Run, next: Run) => boolean): number {
  let best = -1;
  for (let i = 1; i < passage.runs.length; i++) {
    const previous = passage.runs[i - 1] as Run;
    const next = passage.runs[i] as Run;
    if (next.start < range.low) continue;
    if (next.start > range.high) break;
    if (accepts(previous, next) && isNearer(next.start, best, range.target) && isAllowed(next.start, range)) {
      best = next.start;
    }
  }
  return best;
}

/** Looks for a line start from the target outwards, below the target first. */
function nearestLine(passage: Passage, range: CutRange, isBorder: (text: string, at: number) => boolean): number {
  const { text, base } = passage;
  const first = range.low - base - 1;
  // A slice, since a search in the whole text would run on far beyond the range.
  const window = text.slice(first, range.high - base);
  const accepts = (i: number): boolean => isBorder(text, first + i + 1) && isAllowed(range.low + i, range);
  const target = range.target - range.low;
  let below = window.lastIndexOf('\n', target);
  while (below >= 0 && !accepts(below)) below = below === 0 ? -1 : window.lastIndexOf('\n', below - 1);
  let above = window.indexOf('\n', target + 1);
  while (above >= 0 && !accepts(above)) above = window.indexOf('\n', above + 1);
  if (below < 0 || (above >= 0 && above - target < target - below)) return above < 0 ? -1 : range.low + above;
  return range.low + below;
}

/** Looks for white space from the target outwards, below the target first. */
function nearestSpace(passage: Passage, range: CutRange): number {
  const { text, base } = passage;
  const accepts = (at: number): boolean => isWhitespace(text.charCodeAt(at - base)) && isAllowed(at, range);
  for (let at = range.target; at >= range.low; at--) if (accepts(at)) return at;
  for (let at = range.target + 1; at <= range.high; at++) if (accepts(at)) return at;
  return -1;
}
