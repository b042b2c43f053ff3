const LETTERS = 26;
/** The stem of a longer word has two letters at least. */
const SURE_LENGTH = 5;

/**
 * Rules out words that cannot share a term with any of the given words, without computing terms: stems keep the first two letters of a word,
 * except that y and i may replace each other.
 */
export class WordBeginnings {
  private readonly seen = new Uint8Array(LETTERS * LETTERS);
  /** One of the words may have terms that begin in any way. */
  private isOpen = false;

  constructor(words: Iterable<string>) {
    for (const word of words) this.add(word);
  }

  /** False only when the word at `start` of the text, which ends before `end`, shares no term with any of the words. */
  mayMatch(text: string, start = 0, end = text.length): boolean {
    return this.isOpen || end - start < 2 || !isPlain(text, start, end) || this.seen[beginningOf(text, start)] === 1;
  }

  private add(word: string): void {
    if (!isPlain(word, 0, word.length)) this.isOpen = true;
    else if (word.length >= SURE_LENGTH) this.seen[beginningOf(word, 0)] = 1;
    else {
      const first = letterAt(word, 0) * LETTERS;
      this.seen.fill(1, first, first + LETTERS);
    }
  }
}

/** Whether every term of the word begins like the word itself: it is in letters a to z, and not made of several by capitals. */
function isPlain(text: string, start: number, end: number): boolean {
  if (start === end || !isLower(text.charCodeAt(start) | 0x20)) return false;
  for (let index = start + 1; index < end; index += 1) if (!isLower(text.charCodeAt(index))) return false;
  return true;
}

/** a to z. */
function isLower(code: number): boolean {
  return code >= 0x61 && code <= 0x7a;
}

function beginningOf(text: string, start: number): number {
  return letterAt(text, start) * LETTERS + letterAt(text, start + 1);
}

/** 0 to 25; y counts as i. */
function letterAt(word: string, index: number): number {
  const letter = (word.charCodeAt(index) | 0x20) - 0x61;
  return letter === 24 ? 8 : letter;
}
