/** The form in which texts are compared: lower case, one space for each stretch of white space, none at the ends. */
export function foldText(text: string): string {
  return text.replaceAll(/\s+/gu, ' ').trim().toLowerCase();
}

/** Most characters of one pattern. */
const PATTERN_LENGTH = 40;
const PATTERNS = 3;

/**
 * Regular expressions for PostgreSQL, all of which match every text that holds `text` when both are folded. They are the longest
 * words, in either case, whatever the locale of the database: what they find is to be checked with `foldText`.
 */
export function foldedPatterns(text: string): string[] {
  const words = [...new Set(foldText(text).split(' '))].map((word) => [...word].slice(0, PATTERN_LENGTH));
  return words
    .toSorted((a, b) => b.length - a.length)
    .slice(0, PATTERNS)
    .map((word) => word.map(patternOf).join(''));
}

/** Characters that become several in lower case, or have more than two forms. */
const SPECIAL: Readonly<Record<string, string>> = { σ: '[σςΣ]', ς: '[σςΣ]', i: '[iIİ]', '\u0307': '\u0307?' };

/** Matches a character in either case. Where another case is more than one character, any one to three characters match. */
function patternOf(character: string): string {
  const cases = new Set([character, character.toLowerCase(), character.toUpperCase()]);
  const special = SPECIAL[character];
  if (special !== undefined) return special;
  if ([...cases].some((variant) => [...variant].length !== 1)) return '.{1,3}';
  if (cases.size > 1) return `[${[...cases].join('')}]`;
  return /^[!-/:-@[-`{-~]$/.test(character) ? `\\${character}` : character;
}
