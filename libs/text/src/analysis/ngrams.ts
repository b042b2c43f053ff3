import { HANGUL, IDEOGRAPH, UNSPACED } from './characters.js';
import type { RunClass } from './tokenize.js';

/** Length of the n-grams of alphabets, in characters of the joined letters and digits. */
const ALPHABET_GRAM = 4;
const SURROGATE = /[\ud800-\udfff]/;

/** Which n-grams of a run stand in for its words, and which go to the leg of n-grams. Lengths are in characters. */
export interface RunGrams {
  words: readonly number[];
  grams: number;
}

const BY_SCRIPT: Record<RunClass, RunGrams> = {
  [IDEOGRAPH]: { words: [1, 2], grams: 3 },
  [HANGUL]: { words: [2], grams: 3 },
  [UNSPACED]: { words: [3], grams: 4 },
};

/** The lengths for a script. Chosen by script, because one length for all loses two points on Chinese or Russian. */
export function gramsOf(script: RunClass): RunGrams {
  return BY_SCRIPT[script];
}

/** Calls `take` with each window of `length` characters and its start; nothing when the run is shorter. */
export function eachWindow(
  characters: readonly string[],
  length: number,
  take: (gram: string, start: number) => void,
): void {
  for (let start = 0; start + length <= characters.length; start += 1) {
    let gram = characters[start]!;
    for (let offset = 1; offset < length; offset += 1) gram += characters[start + offset]!;
    take(gram, start);
  }
}

/** The windows that stand in for the words of a run; a run that is shorter than all of them stands for itself. */
export function eachRunWord(
  characters: readonly string[],
  script: RunClass,
  take: (gram: string, start: number) => void,
): void {
  const lengths = gramsOf(script).words;
  if (characters.length < lengths[0]!) take(characters.join(''), 0);
  for (const length of lengths) eachWindow(characters, length, take);
}

/** Calls `take` with each n-gram of joined letters and digits and its start in characters. */
export function eachAlphabetGram(joined: string, take: (gram: string, start: number) => void): void {
  if (SURROGATE.test(joined)) {
    eachWindow(Array.from(joined), ALPHABET_GRAM, take);
    return;
  }
  for (let end = ALPHABET_GRAM; end <= joined.length; end += 1)
    take(joined.slice(end - ALPHABET_GRAM, end), end - ALPHABET_GRAM);
}
