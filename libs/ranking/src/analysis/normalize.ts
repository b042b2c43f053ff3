import { toNormalForm } from '#libs/common';
/**
 * What is done to a text before it is cut into terms. Bytes that carry no meaning (soft hyphens, byte order marks,
 * zero-width characters, halves of surrogate pairs) vanish without a trace, so that they neither split nor change a word.
 */

const NOT_ASCII = /\P{ASCII}/u;
const IGNORABLE = /[\p{Cs}\p{Default_Ignorable_Code_Point}]/gu;
/** `6½` must not become `61⁄2`. */
const DIGIT_BEFORE_FRACTION = /(\d)(?=[\u00bc-\u00be\u2150-\u215e])/g;
const HYPHENS = /[\u2010\u2011\ufe63\uff0d]/g;
const OTHER_DIGITS = /(?![0-9])\p{Nd}/gu;

/** True when the text holds nothing but ASCII. */
export function isAscii(text: string): boolean {
  return !NOT_ASCII.test(text);
}

/** The value of a decimal digit of any script: the blocks of ten are contiguous, so it is the distance to their zero. */
function digitValue(digit: string): string {
  const code = digit.codePointAt(0)!;
  let value = 0;
  while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(code - value - 1))) value += 1;
  return String(value);
}

/**
 * NFKC without ignorable characters, with hyphens and decimal digits of all scripts in their ASCII form. Case is kept,
 * because borders of identifiers are seen by it. The result is well-formed; `normalizeText` of it is the same again.
 */
export function normalizeText(text: string): string {
  if (isAscii(text)) return text;
  return toNormalForm(text.replace(IGNORABLE, '').replace(DIGIT_BEFORE_FRACTION, '$1 '), 'NFKC')
    .replace(IGNORABLE, '')
    .replace(HYPHENS, '-')
    .replace(OTHER_DIGITS, digitValue);
}

/** Lower case with the same length as `normalized`, so that offsets fit both; a final sigma is a sigma. */
export function lowerCase(normalized: string): string {
  if (isAscii(normalized)) return normalized.toLowerCase();
  return normalized.replaceAll('\u0130', 'I').toLowerCase().replaceAll('ς', 'σ');
}

/** Letters that have no canonical decomposition, or whose parts are not what people type instead. */
const SPECIAL_FOLDS = new Map<string, string>([
  ['ß', 'ss'],
  ['æ', 'ae'],
  ['œ', 'oe'],
  ['ø', 'o'],
  ['ł', 'l'],
  ['đ', 'd'],
  ['ð', 'd'],
  ['þ', 'th'],
  ['ħ', 'h'],
  ['ŧ', 't'],
  ['ı', 'i'],
  ['й', 'й'],
  ['ـ', ''],
  ['ى', 'ي'],
  ['ی', 'ي'],
  ['ک', 'ك'],
  ['ة', 'ه'],
]);
const MARK = /\p{Mn}/gu;
const foldMemo = new Map<number, string>();

/** Scripts whose marks are diacritics; elsewhere (Indic, Thai, kana, Hangul) a mark is a vowel or part of the letter. */
function hasDiacritics(code: number): boolean {
  return (
    (code >= 0xc0 && code < 0x250) ||
    (code >= 0x300 && code < 0x530) ||
    (code >= 0x591 && code < 0x700) ||
    (code >= 0x1e00 && code < 0x2000)
  );
}

function foldCharacter(code: number): string {
  let folded = foldMemo.get(code);
  if (folded === undefined) {
    const character = String.fromCharCode(code);
    folded = SPECIAL_FOLDS.get(character) ?? character.normalize('NFD').replace(MARK, '');
    foldMemo.set(code, folded);
  }
  return folded;
}

/** A lower-case word without diacritics: `é` → `e`, `ß` → `ss`, `ё` → `е`, `أ` → `ا`. Other scripts stay as they are. */
export function foldDiacritics(word: string): string {
  let folded = '';
  let changed = false;
  for (let index = 0; index < word.length; index += 1) {
    const code = word.charCodeAt(index);
    if (code < 0xc0 || !hasDiacritics(code)) {
      if (changed) folded += word[index];
      continue;
    }
    if (!changed) {
      folded = word.slice(0, index);
      changed = true;
    }
    folded += foldCharacter(code);
  }
  return changed ? folded : word;
}
