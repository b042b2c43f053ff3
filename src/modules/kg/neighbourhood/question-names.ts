import { entityKeyOf } from '../entity-rules/entity-key.js';

/** A stretch of a question that may be a name. */
export interface PossibleName {
  readonly form: string;
  /** As `entityKeyOf` gives it. */
  readonly key: string;
  /** In UTF-16 code units of the question. */
  readonly start: number;
  readonly end: number;
  /** False for a word at the start of a sentence, whose capital letter does not tell a name. */
  readonly isSure: boolean;
}

/** Maximum number of words; a longer question is a text, which names much that it does not ask for. */
const MOST_WORDS = 40;
const MOST_WORDS_OF_NAME = 6;
/** Characters of a name in scripts without spaces between words. */
const UNSPACED_NAME = { least: 2, most: 8 } as const;
const MOST_UNSPACED = 120;
const MOST_NAMES = 500;
const WORD = /[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}'’-]|\.(?=[\p{L}\p{N}]))*/gu;
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー]+/gu;
const SENTENCE_END = /[.?!:]\s+$/u;

interface Word {
  readonly text: string;
  readonly start: number;
  /** Whether a capital says nothing here. */
  readonly isFirst: boolean;
}

/**
 * Parts of a question that may be names, longest first, then in the order of the text: words with a capital letter or a digit, and words at the
 * start of a sentence; in scripts without capitals every stretch. Empty for questions of more than 40 words.
 */
export function possibleNames(question: string): PossibleName[] {
  const words = wordsOf(question);
  if (words.length > MOST_WORDS) return [];
  const found = [...namesOfWords(words, question), ...namesWithoutSpaces(question)];
  return found.sort((a, b) => b.end - b.start - (a.end - a.start) || a.start - b.start).slice(0, MOST_NAMES);
}

/** Drops names that overlap an earlier one; `matches` holds the meanings of each name. */
export function withoutOverlap<T>(
  names: readonly PossibleName[],
  matches: (name: PossibleName) => readonly T[],
): { readonly name: PossibleName; readonly meant: readonly T[] }[] {
  const taken: { readonly name: PossibleName; readonly meant: readonly T[] }[] = [];
  for (const name of names) {
    if (taken.some((one) => one.name.start < name.end && one.name.end > name.start)) continue;
    const meant = matches(name);
    if (meant.length > 0) taken.push({ name, meant });
  }
  return taken;
}

function wordsOf(question: string): Word[] {
  return [...question.matchAll(WORD)].map(({ 0: text, index }) => {
    const before = question.slice(0, index);
    return { text, start: index, isFirst: !/[\p{L}\p{N}]/u.test(before) || SENTENCE_END.test(before) };
  });
}

function namesOfWords(words: readonly Word[], question: string): PossibleName[] {
  return words.flatMap((first, at) =>
    words.slice(at, at + MOST_WORDS_OF_NAME).flatMap((last, further) => {
      const name = nameAt(question, first.start, last.start + last.text.length);
      if (isNamed(words.slice(at, at + further + 1))) return name;
      const isAlone = further === 0 && first.isFirst && /^\p{Lu}/u.test(first.text);
      return isAlone ? name.map((one) => ({ ...one, isSure: false })) : [];
    }),
  );
}

function isNamed(words: readonly Word[]): boolean {
  const text = words.map((word) => word.text).join(' ');
  if (!/\p{Ll}/u.test(text)) return true;
  return words.some((word) => /\p{N}|\p{Lu}.*\p{Lu}/u.test(word.text) || (!word.isFirst && /\p{Lu}/u.test(word.text)));
}

function namesWithoutSpaces(question: string): PossibleName[] {
  return [...question.slice(0, MOST_UNSPACED).matchAll(UNSPACED)].flatMap(({ 0: run, index }) =>
    Array.from(
      { length: UNSPACED_NAME.most - UNSPACED_NAME.least + 1 },
      (_, more) => UNSPACED_NAME.least + more,
    ).flatMap((length) =>
      Array.from({ length: Math.max(0, run.length - length + 1) }, (_, at) =>
        nameAt(question, index + at, index + at + length),
      ).flat(),
    ),
  );
}

function nameAt(question: string, start: number, end: number): PossibleName[] {
  const form = question.slice(start, end);
  const key = entityKeyOf(form);
  return key === '' ? [] : [{ form, key, start, end, isSure: true }];
}
