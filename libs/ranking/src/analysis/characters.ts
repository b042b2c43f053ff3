/** Classes of characters, as far as cutting a text into terms needs them. */
export const SEPARATOR = 1;
export const LETTER = 2;
export const UPPER = 3;
export const DIGIT = 4;
/** Chinese characters and kana: no spaces between words. */
export const IDEOGRAPH = 5;
export const HANGUL = 6;
/** Thai, Lao, Khmer, Burmese: alphabets without spaces between words. */
export const UNSPACED = 7;

export type CharacterClass =
  typeof SEPARATOR | typeof LETTER | typeof UPPER | typeof DIGIT | typeof IDEOGRAPH | typeof HANGUL | typeof UNSPACED;

const WORD_CHARACTER = /[\p{L}\p{M}\p{N}]/u;
const IDEOGRAPHIC = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Bopo}\u30fc\u3006]/u;
const KOREAN = /\p{sc=Hang}/u;
const WITHOUT_SPACES = /[\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}]/u;

function classify(character: string): CharacterClass {
  if (!WORD_CHARACTER.test(character)) return SEPARATOR;
  if (/\p{Nd}/u.test(character)) return DIGIT;
  if (IDEOGRAPHIC.test(character)) return IDEOGRAPH;
  if (KOREAN.test(character)) return HANGUL;
  if (WITHOUT_SPACES.test(character)) return UNSPACED;
  if (/\p{N}/u.test(character)) return DIGIT;
  return /\p{Lu}/u.test(character) ? UPPER : LETTER;
}

/** Classes of the basic plane, filled as characters are met; 0 is not yet known. */
const basicPlane = new Uint8Array(0x10000);

/** The class of the character that begins at `index`, which must not be the second half of a surrogate pair. */
export function classAt(text: string, index: number): CharacterClass {
  const unit = text.charCodeAt(index);
  const known = basicPlane[unit]!;
  if (known !== 0) return known as CharacterClass;
  if (unit >= 0xd800 && unit < 0xe000) return classify(String.fromCodePoint(text.codePointAt(index)!));
  const found = classify(text[index]!);
  basicPlane[unit] = found;
  return found;
}

/** How many code units the character at `index` takes. */
export function widthAt(text: string, index: number): 1 | 2 {
  const unit = text.charCodeAt(index);
  return unit >= 0xd800 && unit < 0xdc00 && index + 1 < text.length ? 2 : 1;
}
