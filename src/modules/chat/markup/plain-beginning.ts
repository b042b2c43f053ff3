import { findAddresses } from './addresses.js';

/** Begins a paragraph for certain: a letter behind quotation marks, brackets and marks of emphasis, or a number that numbers no item. */
const BEGINNING = /^(?:\*\*|__|["“„«'‘(])*\p{L}|^(?!\d{1,9}[.)](?:\s|$))\d/u;
/** A whole word; a longer one is not read before its block is whole. */
const WORD = /[^\S\n]{0,200}(\S{1,200})(?=\s)/y;
const MAX_WORD = 400;
const MARKER = /\[(\d{1,3})\]/g;
/** What may be part of markup, or mean something by what follows. */
const IS_OPEN = /[`<~|&\\@^[\]【】［］\p{Cc}]/u;

/** Whether a line that has just begun is a paragraph for certain. */
export function beginsParagraph(line: string): boolean {
  return /\s/.test(line.slice(0, MAX_WORD)) && BEGINNING.test(line);
}

/**
 * How much of the first line of a paragraph, whole words, is written as it is, whatever follows; `isHeld`: no more of it will be.
 * @param rest the line from a word on.
 * @param numbers the numbers that markers may have.
 */
export function plainBeginning(
  rest: string,
  numbers: ReadonlySet<number>,
): { readonly length: number; readonly isHeld: boolean } {
  let length = 0;
  for (;;) {
    WORD.lastIndex = length;
    const match = WORD.exec(rest);
    if (match === null) return { length, isHeld: rest.length - length > MAX_WORD };
    if (!isPlain(match[1]!, numbers)) return { length, isHeld: true };
    length += match[0].length;
  }
}

function isPlain(word: string, numbers: ReadonlySet<number>): boolean {
  if (word.includes('](')) return false;
  const bare = word.replace(MARKER, (marker, number: string) => (numbers.has(Number(number)) ? '' : marker));
  return !IS_OPEN.test(bare) && findAddresses(bare).length === 0;
}
