import { lettersOf } from './letters.js';
import type { PlacedText } from './page-places.js';

/** Places of one text that are looked at; a page that says one thing more often is a table of it. */
const MOST_PLACES = 256;

/** Where places are looked for: from a letter to another, in these blocks. */
export interface Search {
  readonly low: number;
  readonly high: number;
  readonly blocks: ReadonlySet<number>;
}

/** All letters of a page's text one after the other, and which word of the page shows each of them. */
export class PageLetters {
  readonly letters: string;
  readonly starts: readonly number[];
  readonly ends: readonly number[];
  /** Number of the block of each letter. */
  readonly blocks: readonly number[];
  /** Number of the word that shows a letter, and which letter of that word; -1: none yet. */
  readonly words: Int32Array;
  readonly places: Int32Array;

  constructor(blocks: readonly PlacedText[]) {
    const all = blocks.map(({ text, start }) => lettersOf(text, start));
    this.letters = all.map(({ letters }) => letters).join('');
    this.starts = all.flatMap(({ starts }) => starts);
    this.ends = all.flatMap(({ ends }) => ends);
    this.blocks = all.flatMap(({ starts }, block) => starts.map(() => block));
    this.words = new Int32Array(this.letters.length).fill(-1);
    this.places = new Int32Array(this.letters.length);
  }

  /** Where these letters are and are not shown yet; as whole words, where they are so. */
  find(sought: string, search: Search): readonly number[] {
    if (sought === '') return [];
    const found: number[] = [];
    for (let at = this.letters.indexOf(sought, search.low); at >= 0; at = this.letters.indexOf(sought, at + 1)) {
      if (at + sought.length > search.high || found.length === MOST_PLACES) break;
      if (this.isFree(at, at + sought.length, search.blocks)) found.push(at);
    }
    const whole = found.filter((at) => this.isBorder(at) && this.isBorder(at + sought.length));
    return whole.length > 0 ? whole : found;
  }

  /** A word shows the letters from `at`. */
  claim(word: number, at: number, length: number): void {
    for (let place = 0; place < length; place += 1) {
      this.words[at + place] = word;
      this.places[at + place] = place;
    }
  }

  private isFree(from: number, to: number, blocks: ReadonlySet<number>): boolean {
    for (let at = from; at < to; at += 1) {
      if (this.words[at]! >= 0 || !blocks.has(this.blocks[at]!)) return false;
    }
    return true;
  }

  /** Whether something else than a letter is before it, or nothing. */
  private isBorder(at: number): boolean {
    if (at === 0 || at === this.letters.length) return true;
    return this.starts[at]! > this.ends[at - 1]! || this.blocks[at] !== this.blocks[at - 1];
  }
}
