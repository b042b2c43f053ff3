import { toNormalForm } from '#libs/common';
import { CharacterClass, classOf } from './character-class.js';
import { FUNCTION_CHARACTERS, FUNCTION_WORDS } from './function-words.js';

/** A word of a text, or a pair of characters of a script without spaces. */
export interface LexicalTerm {
  readonly text: string;
  /** Whether it is a word, so that a shared beginning means something. */
  readonly isWord: boolean;
}

/** The terms of a text in their order: lower-case words; pairs of characters where words are not separated by spaces. */
export function lexicalTerms(text: string): LexicalTerm[] {
  const terms: LexicalTerm[] = [];
  let run: string[] = [];
  let unspaced = false;
  const flush = (): void => {
    if (run.length > 0) pushRun(terms, run, unspaced);
    run = [];
  };
  for (const character of toNormalForm(text, 'NFKC').toLowerCase()) {
    const kind = classOf(character.codePointAt(0)!);
    const joinsPairs = kind === CharacterClass.Han || kind === CharacterClass.Unspaced;
    if (kind === CharacterClass.Other || joinsPairs !== unspaced) flush();
    if (kind !== CharacterClass.Other) run.push(character);
    unspaced = joinsPairs;
  }
  flush();
  return terms;
}

function pushRun(terms: LexicalTerm[], run: readonly string[], unspaced: boolean): void {
  if (!unspaced) terms.push({ text: run.join(''), isWord: true });
  else if (run.length === 1) terms.push({ text: run[0]!, isWord: false });
  else for (let at = 0; at + 2 <= run.length; at++) terms.push({ text: run[at]! + run[at + 1]!, isWord: false });
}

/** How much a term says about its subject: 1, or less for words and characters of grammar. */
export function lexicalWeight(term: LexicalTerm): number {
  if (term.isWord) return FUNCTION_WORDS.has(term.text) ? 0.1 : 1;
  const grammar = [...term.text].filter((character) => FUNCTION_CHARACTERS.has(character.codePointAt(0)!)).length;
  return grammar === 0 ? 1 : grammar === 1 ? 0.5 : 0.1;
}

/** Letters that two forms of a word must share at their beginning, and the share of the longer form that this must be. */
const SHARED_LETTERS = 4;
const SHARED_PART = 0.55;

/** 1 for the same term, 0.6 for what looks like another form of the same word, else 0. */
export function lexicalMatch(a: LexicalTerm, b: LexicalTerm): number {
  if (a.text === b.text) return 1;
  if (!a.isWord || !b.isWord) return 0;
  const shorter = Math.min(a.text.length, b.text.length);
  let shared = 0;
  while (shared < shorter && a.text[shared] === b.text[shared]) shared++;
  return shared >= SHARED_LETTERS && shared >= SHARED_PART * Math.max(a.text.length, b.text.length) ? 0.6 : 0;
}
