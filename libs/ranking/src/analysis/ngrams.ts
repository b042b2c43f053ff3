import { HANGUL, IDEOGRAPH, UNSPACED, widthAt } from './characters.js';
import type { RunClass } from './tokenize.js';

/** Length of the n-grams of alphabets, in characters of the joined letters and digits. */
const ALPHABET_GRAM = 4;
const SURROGATE = /[\ud800-\udfff]/;

/** Which n-grams of a run replace its words, and which go to the leg of n-grams. Lengths are in characters. */
export interface RunGrams {
  words: readonly number[];
  grams: number;
}

/** Receives a window of a text: its range in UTF-16 code units, and how many characters are before it. */
export type TakeWindow = (start: number, end: number, index: number) => void;

const BY_SCRIPT: Record<RunClass, RunGrams> = {
  [IDEOGRAPH]: { words: [1, 2], grams: 3 },
  [HANGUL]: { words: [2], grams: 3 },
  [UNSPACED]: { words: [3], grams: 4 },
};

/** The lengths for a script. Chosen by script, because one length for all loses two points on Chinese or Russian. */
export function gramsOf(script: RunClass): RunGrams {
  return BY_SCRIPT[script];
}

/** Calls `take` with each window of `length` characters of a well-formed text; nothing when it is shorter. */
export function eachWindow(text: string, length: number, take: TakeWindow): void {
  if (SURROGATE.test(text)) {
    eachWindowOfPairs(text, length, take);
    return;
  }
  for (let end = length; end <= text.length; end += 1) take(end - length, end, end - length);
}

function eachWindowOfPairs(text: string, length: number, take: TakeWindow): void {
  const borders: number[] = [];
  for (let at = 0; at < text.length; at += widthAt(text, at)) borders.push(at);
  borders.push(text.length);
  for (let index = 0; index + length < borders.length; index += 1) {
    take(borders[index]!, borders[index + length]!, index);
  }
}

/** The windows that replace the words of a run; a run that is shorter than all of them represents itself. */
export function eachRunWord(run: string, script: RunClass, take: TakeWindow): void {
  const lengths = gramsOf(script).words;
  const shortest = lengths[0]!;
  if (run.length < 2 * shortest && Array.from(run).length < shortest) take(0, run.length, 0);
  for (const length of lengths) eachWindow(run, length, take);
}

/** Calls `take` with each n-gram of joined letters and digits. */
export function eachAlphabetGram(joined: string, take: TakeWindow): void {
  eachWindow(joined, ALPHABET_GRAM, take);
}
