import type { PageLetters, Search } from './page-letters.js';
import type { PageLine, PageWord } from './page-lines.js';
import type { PageRectangle, PlacedText } from './page-places.js';

/** Of a line, what must lie in the rectangle of a block for its text to be looked for there. */
const LEAST_SHARE = 0.25;
/** Letters of a run of words that is told by itself, where its line says something else than the text. */
const LEAST_RUN = 5;
/** How far around its neighbours a shorter word is looked for. */
const REACH = 200;
/** Code units that words between two known ones may represent: what a mask hides, or what was read otherwise. */
const MOST_BRIDGED = 400;
/** Earlier lines that are asked where a line is to be expected. */
const LOOK_BACK = 12;

/** A word with its number on the page. */
export interface NumberedWord extends PageWord {
  readonly line: number;
}

/** Words that represent a stretch whose letters they do not have. */
export interface Bridge {
  readonly words: readonly number[];
  readonly start: number;
  readonly end: number;
}

/** Letters, from and to, that a word shows. */
interface Shown {
  readonly from: number;
  readonly to: number;
}

/**
 * Finds for each line of a page the letters of its text that it shows. The rectangles of blocks say where to look; of several places that say
 * the same, each line gets its own, in order. Long lines come first: what they show is not there for short ones.
 */
export class LineAlignment {
  readonly words: readonly NumberedWord[];
  readonly bridges: readonly Bridge[];
  private readonly letters: PageLetters;
  private readonly blocks: readonly PlacedText[];
  private readonly lines: readonly PageLine[];
  private readonly firstWords: number[] = [];
  private readonly shown: (Shown | undefined)[];

  constructor(letters: PageLetters, blocks: readonly PlacedText[], lines: readonly PageLine[]) {
    this.letters = letters;
    this.blocks = blocks;
    this.lines = lines;
    const words: NumberedWord[] = [];
    for (const [line, { words: own }] of lines.entries()) {
      this.firstWords.push(words.length);
      words.push(...own.map((word) => ({ ...word, line })));
    }
    this.words = words;
    this.shown = words.map(() => undefined);
    this.align();
    this.bridges = this.findBridges();
  }

  private align(): void {
    const sought = this.lines.map((line, index) => ({
      index,
      letters: lettersIn(line.words),
      search: this.searchOf(line),
    }));
    const later: typeof sought = [];
    for (const one of sought.toSorted((a, b) => b.letters.length - a.letters.length)) {
      const [place, another] = this.letters.find(one.letters, one.search);
      if (place !== undefined && another === undefined)
        this.claim(this.firstWords[one.index]!, this.lines[one.index]!.words, place);
      else later.push(one);
    }
    for (const { index, letters, search } of later.toSorted((a, b) => a.index - b.index)) {
      const place = nearest(this.letters.find(letters, search), this.expected(index));
      if (place === undefined) this.alignWords(index, search);
      else this.claim(this.firstWords[index]!, this.lines[index]!.words, place);
    }
  }

  /** The blocks that a line lies in; without one those of which no one knows where they lie. */
  private searchOf({ box }: PageLine): Search {
    const numbers = [...this.blocks.keys()];
    const around = numbers.filter((block) => shareWithin(box, this.blocks[block]!.box) >= LEAST_SHARE);
    const blocks = around.length > 0 ? around : numbers.filter((block) => this.blocks[block]!.box === undefined);
    return { low: 0, high: this.letters.letters.length, blocks: new Set(blocks) };
  }

  private claim(firstWord: number, words: readonly PageWord[], place: number): void {
    let at = place;
    for (const [offset, { letters }] of words.entries()) {
      if (letters === '') continue;
      this.letters.claim(firstWord + offset, at, letters.length);
      this.shown[firstWord + offset] = { from: at, to: at + letters.length };
      at += letters.length;
    }
  }

  /** Where the last line before it that was found ends. */
  private expected(line: number): number {
    const first = this.firstWords[Math.max(0, line - LOOK_BACK)]!;
    return this.shown.slice(first, this.firstWords[line]).findLast((each) => each !== undefined)?.to ?? 0;
  }

  /** A line that says something else than the text in one place: first its long runs of words, then what lies between them. */
  private alignWords(line: number, search: Search): void {
    const { words } = this.lines[line]!;
    const first = this.firstWords[line]!;
    let low = search.low;
    for (let from = 0; from < words.length; from += 1) {
      const run = this.longestRun(words, from, { ...search, low });
      if (run === undefined) continue;
      const place = nearest(run.places, Math.max(low, this.expected(line)))!;
      this.claim(first + from, words.slice(from, run.to), place);
      low = place + run.length;
      from = run.to - 1;
    }
    for (const [offset, word] of words.entries()) {
      if (this.shown[first + offset] === undefined) this.alignBetween(first + offset, word, search);
    }
  }

  private longestRun(
    words: readonly PageWord[],
    from: number,
    search: Search,
  ): { readonly to: number; readonly length: number; readonly places: readonly number[] } | undefined {
    let best: { readonly to: number; readonly length: number; readonly places: readonly number[] } | undefined;
    for (let to = from + 1; to <= words.length; to += 1) {
      const letters = lettersIn(words.slice(from, to));
      const places = this.letters.find(letters, search);
      if (letters !== '' && places.length === 0) break;
      if (letters.length >= LEAST_RUN) best = { to, length: letters.length, places };
    }
    return best;
  }

  private alignBetween(number: number, word: PageWord, search: Search): void {
    const before = this.shown[number - 1]?.to;
    const after = this.shown.slice(number + 1, number + 4).find((each) => each !== undefined)?.from;
    if (before === undefined && after === undefined) return;
    const low = before ?? Math.max(0, after! - REACH);
    const high = after !== undefined && after >= low ? after : low + REACH;
    const place = nearest(this.letters.find(word.letters, { ...search, low, high }), before ?? high);
    if (place !== undefined) this.claim(number, [word], place);
  }

  /** Words without a place between two that have one: they represent what lies between those. */
  private findBridges(): readonly Bridge[] {
    const bridges: Bridge[] = [];
    let before: Shown | undefined;
    let between: number[] = [];
    for (const [number, shown] of this.shown.entries()) {
      if (shown === undefined) {
        if (this.words[number]!.letters !== '') between.push(number);
        continue;
      }
      const bridge = between.length > 0 && before !== undefined ? this.bridge(between, before, shown) : undefined;
      if (bridge !== undefined) bridges.push(bridge);
      before = shown;
      between = [];
    }
    return bridges;
  }

  private bridge(words: readonly number[], before: Shown, after: Shown): Bridge | undefined {
    const { starts, ends, blocks, words: shownBy } = this.letters;
    const start = ends[before.to - 1]!;
    const end = starts[after.from]!;
    const isNear = end > start && end - start <= MOST_BRIDGED && blocks[before.to - 1] === blocks[after.from];
    if (!isNear || shownBy.subarray(before.to, after.from).some((word) => word >= 0)) return undefined;
    return { words, start, end };
  }
}

function lettersIn(words: readonly PageWord[]): string {
  return words.map(({ letters }) => letters).join('');
}

/** The place at or behind what is expected, or else the one least before it. */
function nearest(places: readonly number[], expected: number): number | undefined {
  return places.find((place) => place >= expected) ?? places.at(-1);
}

/** How much of a rectangle lies in another one, 0 to 1. */
function shareWithin({ x, y, width, height }: PageRectangle, box: PlacedText['box']): number {
  if (box === undefined) return 0;
  const [x0, y0, x1, y1] = box;
  const across = Math.min(x + width, x1) - Math.max(x, x0);
  const down = Math.min(y + height, y1) - Math.max(y, y0);
  if (across < 0 || down < 0) return 0;
  // Boxes of blocks are rounded, and a flat line has no area.
  return (across / Math.max(width, 0.01)) * (down / Math.max(height, 0.01));
}
