/** Traces of text that was read in the wrong encoding. */
export interface EncodingDamage {
  /** U+FFFD: replaces bytes that could not be decoded. */
  readonly replacedCharacters: number;
  /** Sequences that UTF-8 gives when it is read as Latin-1 or Windows-1252, like "Ã¤" for "ä". */
  readonly misreadSequences: number;
}

const REPLACED = /\uFFFD/gu;
const MISREAD =
  /[\u00C2\u00C3][\u0080-\u00BF]|\u00E2(?:\u20AC|\u0080)[\u0080-\u00BF\u0152\u0153\u0160\u0178\u017E\u02C6\u02DC\u2013\u2014\u2018-\u201E\u2020-\u2022\u2026\u2030\u2039\u203A\u20AC\u2122]/gu;

/** Counts signs of damage in a stretch of text. */
export function countEncodingDamage(text: string): EncodingDamage {
  return { replacedCharacters: count(text, REPLACED), misreadSequences: count(text, MISREAD) };
}

function count(text: string, pattern: RegExp): number {
  let found = 0;
  pattern.lastIndex = 0;
  while (pattern.test(text)) found += 1;
  return found;
}
