const LETTERS = 26;
/** A word of which every term begins like the word itself: in letters a to z, and not made of several by capitals. */
const PLAIN = /^[A-Za-z][a-z]*$/;
/** The stem of a longer word has two letters at least. */
const SURE_LENGTH = 5;

/**
 * Tells words that cannot share a term with any of some words, without looking for terms: stems keep the two letters that a word
 * begins with, but for y and i, which may change places.
 */
export class WordBeginnings {
  private readonly seen = new Uint8Array(LETTERS * LETTERS);
  /** One of the words may have terms that begin in any way. */
  private isOpen = false;

  constructor(words: Iterable<string>) {
    for (const word of words) this.add(word);
  }

  /** False only when `word` shares no term with any of the words. */
  mayMatch(word: string): boolean {
    return this.isOpen || word.length < 2 || !PLAIN.test(word) || this.seen[beginningOf(word)] === 1;
  }

  private add(word: string): void {
    if (!PLAIN.test(word)) this.isOpen = true;
    else if (word.length >= SURE_LENGTH) this.seen[beginningOf(word)] = 1;
    else {
      const first = letterAt(word, 0) * LETTERS;
      this.seen.fill(1, first, first + LETTERS);
    }
  }
}

function beginningOf(word: string): number {
  return letterAt(word, 0) * LETTERS + letterAt(word, 1);
}

/** 0 to 25; y counts as i. */
function letterAt(word: string, index: number): number {
  const letter = (word.charCodeAt(index) | 0x20) - 0x61;
  return letter === 24 ? 8 : letter;
}
