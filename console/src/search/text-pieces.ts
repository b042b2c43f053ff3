import { readWithPlaces } from './markdown-marks.js';

/** A stretch of a text: first code unit, and the one behind the last. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
}

/** What lies over a text. Stretches of one kind do not overlap; those of different kinds may. */
export interface Layers<Finding extends Stretch> {
  readonly cited: Stretch | undefined;
  readonly findings: readonly Finding[];
  /** Where the words of a search within the text stand. */
  readonly hits: readonly Stretch[];
  /** The one of them that is looked at. */
  readonly hit: Stretch | undefined;
  /** What the next chunk has, too. */
  readonly shared: Stretch | undefined;
}

/** A part of a text over which the same things lie from its beginning to its end. */
export interface Piece<Finding extends Stretch> extends Stretch {
  readonly isCited: boolean;
  readonly isShared: boolean;
  readonly finding: Finding | undefined;
  readonly hit: Stretch | undefined;
  readonly isLookedAt: boolean;
}

/** Cuts a stretch of a text where something that lies over it begins or ends. The pieces join to the whole stretch. */
export function piecesOf<Finding extends Stretch>(
  { from, to }: Stretch,
  { cited, findings, hits, hit, shared }: Layers<Finding>,
): readonly Piece<Finding>[] {
  const touches = (one: Stretch): boolean => one.to > from && one.from < to;
  const [found, hitHere] = [findings.filter(touches), hits.filter(touches)];
  const all = [...found, ...hitHere, ...[cited, shared].filter((one) => one !== undefined)];
  const borders = all.flatMap((one) => [one.from, one.to]).filter((at) => at > from && at < to);
  const starts = [...new Set([from, ...borders])].toSorted((one, other) => one - other);
  return starts
    .map((start, index) => ({ start, end: starts[index + 1] ?? to }))
    .filter(({ start, end }) => end > start)
    .map(({ start, end }) => {
      const holds = (one: Stretch | undefined): boolean => one !== undefined && one.from <= start && one.to >= end;
      const under = hitHere.find(holds);
      return {
        from: start,
        to: end,
        isCited: holds(cited),
        isShared: holds(shared),
        finding: found.find(holds),
        hit: under,
        isLookedAt: under !== undefined && under.from === hit?.from,
      };
    });
}

/** Neighbours that are cited, and neighbours that are not, together. */
export function runsOf<Finding extends Stretch>(
  pieces: readonly Piece<Finding>[],
): readonly (readonly Piece<Finding>[])[] {
  const runs: Piece<Finding>[][] = [];
  for (const piece of pieces) {
    const last = runs.at(-1);
    if (last?.[0]?.isCited === piece.isCited) last.push(piece);
    else runs.push([piece]);
  }
  return runs;
}

/** More of them help nobody to find a place. */
export const MOST_HITS = 1000;

/** Where words stand in what a person reads of a Markdown text: marks neither stand between words nor are found. Places are those of the text. */
export function hitsInMarkdown(text: string, words: string): readonly Stretch[] {
  const read = readWithPlaces(text);
  return hitsOf(read.text, words).map(({ from, to }) => ({ from: read.places[from]!, to: read.places[to - 1]! + 1 }));
}

/** Where words stand in a text, at most `MOST_HITS` times: without regard to case, white space of any kind and length for white space. */
export function hitsOf(text: string, words: string): readonly Stretch[] {
  const wanted = words.trim();
  if (wanted === '') return [];
  const parts = wanted.split(/\s+/u).map((part) => part.replaceAll(/[\\^$.*+?()[\]{}|/]/gu, String.raw`\$&`));
  const pattern = new RegExp(parts.join(String.raw`\s+`), 'giu');
  const hits: Stretch[] = [];
  for (const { index, 0: found } of text.matchAll(pattern)) {
    hits.push({ from: index, to: index + found.length });
    if (hits.length === MOST_HITS) break;
  }
  return hits;
}
