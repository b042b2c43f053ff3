/** What a character is to the language models when it is no letter that they know. */
export const CharacterClass = {
  space: 0,
  digit: 1,
  punctuation: 2,
  /** Quotation marks, dashes, ellipsis, no-break space: what writers use besides ASCII. */
  typography: 3,
  /** Signs that ordinary text has now and then: § ° © € ½. */
  sign: 4,
  /** Lines and blocks of character graphics. */
  graphics: 5,
  /** Signs that ordinary text does not have. */
  oddity: 6,
  /** Controls, unassigned and private characters, U+FFFD. */
  forbidden: 7,
  /** Combining marks. */
  mark: 8,
  latin: 9,
  cyrillic: 10,
  greek: 11,
  hebrew: 12,
  arabic: 13,
  thai: 14,
  /** Ideographs, kana, hangul, and their punctuation and wide forms. */
  eastAsian: 15,
  otherLetter: 16,
} as const;

export type CharacterClass = (typeof CharacterClass)[keyof typeof CharacterClass];

const TYPOGRAPHY = '“”„‘’‚–—…«»‹›\u00a0·•';
const SIGNS = '§°©®€£½¼¾±²³µ¶™№¿¡×ªº†‰′″¢¥´';
const PATTERNS: readonly (readonly [RegExp, CharacterClass])[] = [
  [/[\p{Co}\p{Cn}\p{Cs}\p{Cc}\uFFFD]/u, CharacterClass.forbidden],
  [/\p{Script=Latin}/u, CharacterClass.latin],
  [/\p{Script=Cyrillic}/u, CharacterClass.cyrillic],
  [/\p{Script=Greek}/u, CharacterClass.greek],
  [/\p{Script=Hebrew}/u, CharacterClass.hebrew],
  [/\p{Script=Arabic}|[\u060c\u061b\u061f\u0640\u064b-\u0655\u200c-\u200f]/u, CharacterClass.arabic],
  [/\p{Script=Thai}/u, CharacterClass.thai],
  [/\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Hangul}/u, CharacterClass.eastAsian],
  [/[\u3000-\u303f\u30fb-\u30fe\uff01-\uffee]/u, CharacterClass.eastAsian],
  [/\p{M}/u, CharacterClass.mark],
  [/\p{L}/u, CharacterClass.otherLetter],
  [/[\u2500-\u259f]/u, CharacterClass.graphics],
];

const known = new Uint8Array(0x10000).fill(0xff);

/** The class of a UTF-16 code unit. */
export function classOf(unit: number): CharacterClass {
  let found = known[unit]!;
  if (found === 0xff) {
    found = classify(unit);
    known[unit] = found;
  }
  return found as CharacterClass;
}

function classify(unit: number): CharacterClass {
  const character = String.fromCharCode(unit);
  if (unit < 0x80) return classifyAscii(unit, character);
  if (TYPOGRAPHY.includes(character)) return CharacterClass.typography;
  if (SIGNS.includes(character)) return CharacterClass.sign;
  return PATTERNS.find(([pattern]) => pattern.test(character))?.[1] ?? CharacterClass.oddity;
}

function classifyAscii(unit: number, character: string): CharacterClass {
  if (unit === 0x20 || (unit >= 0x08 && unit <= 0x0d)) return CharacterClass.space;
  if (unit < 0x20 || unit === 0x7f) return CharacterClass.forbidden;
  if (/[a-z]/i.test(character)) return CharacterClass.latin;
  return /\d/.test(character) ? CharacterClass.digit : CharacterClass.punctuation;
}

/** Whether a class is one of letters. */
export function isLetterClass(of: CharacterClass): boolean {
  return of >= CharacterClass.latin;
}
