const SYLLABLES = ['ba', 'cor', 'di', 'fen', 'gu', 'lam', 'me', 'nis', 'po', 'rut', 'sa', 'tel', 'vi', 'xo', 'zur'];
const FUNCTION_WORDS = ['the', 'of', 'and', 'to', 'in', 'is', 'with', 'for', 'that', 'on'];
const VOCABULARY = 3_000;
const WORDS_PER_CHUNK = 60;

/** Texts whose words are as unevenly frequent as those of a language; the same number always gives the same text. */
export class MadeUpTexts {
  private readonly words: readonly string[];

  constructor() {
    const next = randomNumbers(7);
    const words = new Set(FUNCTION_WORDS);
    while (words.size < VOCABULARY) {
      const length = 2 + Math.floor(next() * 3);
      words.add(Array.from({ length }, () => SYLLABLES[Math.floor(next() * SYLLABLES.length)]).join(''));
    }
    this.words = [...words];
  }

  chunk(seed: number): string {
    const next = randomNumbers(seed * 7_919 + 1);
    return `Part ${seed}: ${this.some(next, WORDS_PER_CHUNK).join(' ')}.`;
  }

  /** Some are two words long, some a hundred. */
  question(seed: number): string {
    const next = randomNumbers(seed * 104_729 + 5);
    return `${this.some(next, seed % 10 === 9 ? 100 : 2 + (seed % 7)).join(' ')}?`;
  }

  private some(next: () => number, count: number): string[] {
    return Array.from({ length: count }, () => this.words[Math.floor(next() ** 3 * VOCABULARY)]!);
  }
}

/** Numbers in 0..1 (mulberry32). */
function randomNumbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
