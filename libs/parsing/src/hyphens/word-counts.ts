/** More words tell no more. */
const MAX_WORDS = 200_000;
const MAX_WORD_UNITS = 60;
const WORD = /(?<!\p{L})\p{L}+(?:[-\u2010\u2011]\p{L}+)*/gu;
/** Halves of a divided word are none. */
const DIVIDED = /(?<![\p{L}\p{N}])[\p{L}\p{N}]+[-\u2010\u00ad][ \t]*\r?\n[ \t]*[\p{L}\p{N}]+/gu;

/** How often words, and words that are joined by hyphens, are in a document. */
export class WordCounts {
  private readonly counts = new Map<string, number>();

  /** Takes a text with its line breaks. */
  add(text: string): void {
    for (const [word] of text.replace(DIVIDED, ' ').matchAll(WORD)) {
      const key = keyOf(word);
      const known = this.counts.get(key);
      if (word.length <= MAX_WORD_UNITS && (known !== undefined || this.counts.size < MAX_WORDS)) {
        this.counts.set(key, (known ?? 0) + 1);
      }
    }
  }

  of(word: string): number {
    return this.counts.get(keyOf(word)) ?? 0;
  }
}

function keyOf(word: string): string {
  return word.toLowerCase().replace(/[\u2010\u2011]/g, '-');
}
