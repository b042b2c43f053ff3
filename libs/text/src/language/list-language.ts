import type { DetectedLanguage } from './detected-language.js';
import { LATIN_PROFILES } from './language-profiles.js';
import { LIST_WORDS } from './list-words.js';

/** Lines of a list, and how many of them are rows or entries with a figure at their end. */
const LEAST_LINES = 3;
const LEAST_SHARE = 0.6;
const ROW = /\S\s*(?:\t| \| )\s*\S|\s[^\p{L}\s]*\d[^\p{L}\s]*(?:\s(?:\p{Sc}|[A-Z]{3}|%))?\s*$/u;
/** A longer cell is a sentence. */
const MOST_UNITS = 60;
const CELL_END = /\t| \| /u;
/** How much more a name of a column tells than what is below it. */
const HEAD = 2;
/** Different words of a language, below which a guess is none. */
const LEAST_WORDS = 2;
/** Letters of a word that is no short name. */
const LEAST_UNITS = 4;
/** Of all that speaks for the first language, what the second one may have. */
const MOST_OF_SECOND = 0.85;

/** Whether a text is the rows of a table or the entries of a list, not sentences. */
export function isList(text: string): boolean {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  if (lines.length < LEAST_LINES) return false;
  const isRow = (line: string): boolean =>
    ROW.test(line) && line.split(CELL_END).every((cell) => cell.length <= MOST_UNITS);
  return lines.filter(isRow).length >= lines.length * LEAST_SHARE;
}

/**
 * The language of a list, by the words that are known, each counted once: rows say the same again and again. Those of the first row count twice; letters
 * tell nothing, because the names of people and places have them in any list. Undefined where no language is clearly ahead.
 */
export function detectInList(lines: readonly (readonly string[])[]): DetectedLanguage | undefined {
  const weights = new Map<string, number>();
  const head = lines.findIndex((line) => line.length > 0);
  for (const [at, line] of lines.entries()) {
    for (const word of line) {
      const lower = word.toLowerCase();
      weights.set(lower, Math.max(weights.get(lower) ?? 0, at === head ? HEAD : 1));
    }
  }
  const scores = new Map<string, { score: number; count: number }>();
  for (const [word, weight] of weights) {
    const languages = LANGUAGES_BY_WORD.get(word) ?? [];
    for (const language of languages) {
      const { score, count } = scores.get(language) ?? { score: 0, count: 0 };
      // A title that a single language has tells it by itself: `Preisliste`.
      const isTitle = weight === HEAD && languages.length === 1 && word.length >= LEAST_UNITS;
      scores.set(language, { score: score + weight / languages.length, count: count + (isTitle ? LEAST_WORDS : 1) });
    }
  }
  const [first, second] = [...scores].toSorted(([, one], [, other]) => other.score - one.score);
  if (first === undefined || first[1].count < LEAST_WORDS) return undefined;
  const behind = second?.[1].score ?? 0;
  if (behind > first[1].score * MOST_OF_SECOND) return undefined;
  return { language: first[0], confidence: Math.min(1, 0.3 + (first[1].score - behind) / first[1].score) };
}

/** Languages that have a word. */
const LANGUAGES_BY_WORD = new Map<string, string[]>();
for (const { language, words } of LATIN_PROFILES) {
  for (const word of new Set([...words, ...(LIST_WORDS.get(language) ?? [])])) {
    LANGUAGES_BY_WORD.set(word, [...(LANGUAGES_BY_WORD.get(word) ?? []), language]);
  }
}
