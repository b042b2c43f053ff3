/** Number of consecutive words of a shingle. */
export const SHINGLE_WORDS = 5;

/** Kind of a code unit: no part of a word, part of a word, or a whole word (in scripts that are written without spaces). */
const enum Kind {
  Other = 0,
  Letter = 1,
  Alone = 2,
}

const ALONE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u;
const LETTER = /[\p{L}\p{N}\p{M}]/u;
const UNKNOWN = 255;
const HIGH_SURROGATES = 0xd800;
const AFTER_SURROGATES = 0xe000;

/** Filled as code units are met: kind, and the unit in lower case. */
const kinds = new Uint8Array(65_536).fill(UNKNOWN);
const lowered = new Uint16Array(65_536);

/**
 * Cuts a text into shingles: each run of five words, without case and punctuation, as a hash of 32 bits. Takes the text piece by
 * piece, wherever it is cut; a text of fewer words is one shingle.
 */
export class Shingler {
  private readonly last = new Int32Array(SHINGLE_WORDS);
  private words = 0;
  private word = 0;
  private isInWord = false;

  constructor(private readonly take: (shingle: number) => void) {}

  /** Words so far; the last word of a piece counts once it has ended. */
  get wordCount(): number {
    return this.words;
  }

  add(text: string): void {
    for (let at = 0; at < text.length; at += 1) {
      const unit = text.charCodeAt(at);
      let kind = kinds[unit]!;
      if (kind === UNKNOWN) kind = learn(unit);
      if (kind === Kind.Letter) {
        this.word = Math.imul((this.isInWord ? this.word : 0x811c9dc5) ^ lowered[unit]!, 0x01000193);
        this.isInWord = true;
        continue;
      }
      if (this.isInWord) this.endWord();
      if (kind === Kind.Alone) {
        this.word = Math.imul(0x811c9dc5 ^ unit, 0x01000193);
        this.endWord();
      }
    }
  }

  /** Ends the text. */
  end(): void {
    if (this.isInWord) this.endWord();
    if (this.words > 0 && this.words < SHINGLE_WORDS) this.take(this.hashOf(this.words));
  }

  private endWord(): void {
    this.isInWord = false;
    this.last[this.words % SHINGLE_WORDS] = this.word;
    this.words += 1;
    if (this.words >= SHINGLE_WORDS) this.take(this.hashOf(SHINGLE_WORDS));
  }

  /** Hash of the last `count` words, in order. */
  private hashOf(count: number): number {
    let hash = 0x9e3779b9 | 0;
    for (let n = this.words - count; n < this.words; n += 1) {
      hash = Math.imul(hash ^ this.last[n % SHINGLE_WORDS]!, 0x85ebca6b);
      hash ^= hash >>> 13;
    }
    hash = Math.imul(hash, 0xc2b2ae35);
    return hash ^ (hash >>> 16);
  }
}

function learn(unit: number): Kind {
  const character = String.fromCharCode(unit);
  const isSurrogate = unit >= HIGH_SURROGATES && unit < AFTER_SURROGATES;
  const kind = ALONE.test(character) ? Kind.Alone : isSurrogate || LETTER.test(character) ? Kind.Letter : Kind.Other;
  const lower = character.toLowerCase();
  lowered[unit] = lower.length === 1 ? lower.charCodeAt(0) : unit;
  kinds[unit] = kind;
  return kind;
}
