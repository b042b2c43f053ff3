/** How a character takes part in words. */
export enum CharacterClass {
  Unknown = 0,
  /** Space, punctuation, symbol: ends a word. */
  Other = 1,
  /** Letter, mark or digit of a script that puts spaces between words. */
  Spaced = 2,
  /** Korean syllable: spaced, but two syllables already mean much. */
  Hangul = 3,
  /** Chinese character. */
  Han = 4,
  /** Letter or mark of another script without spaces: kana, Thai, Lao, Khmer, Myanmar. */
  Unspaced = 5,
}

const HAN = /\p{Script=Han}/u;
const HANGUL = /\p{Script=Hangul}/u;
const UNSPACED =
  /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\u30fc]/u;
const WORD_CHARACTER = /[\p{L}\p{M}\p{N}]/u;

/** Filled as characters are met; asking the expressions each time would cost more than all the rest. */
const classes = new Uint8Array(0x110000);

/** The class of a code point. */
export function classOf(point: number): CharacterClass {
  const known = classes[point]!;
  return known === CharacterClass.Unknown ? (classes[point] = classify(String.fromCodePoint(point))) : known;
}

function classify(character: string): CharacterClass {
  if (!WORD_CHARACTER.test(character)) return CharacterClass.Other;
  if (HAN.test(character)) return CharacterClass.Han;
  if (HANGUL.test(character)) return CharacterClass.Hangul;
  return UNSPACED.test(character) ? CharacterClass.Unspaced : CharacterClass.Spaced;
}
