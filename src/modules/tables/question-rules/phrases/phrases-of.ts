import { ENGLISH } from './english.js';
import { FRENCH } from './french.js';
import { GERMAN } from './german.js';
import { SPANISH } from './spanish.js';
import type { TablePhrases } from './table-phrases.js';

const ALL = new Map([ENGLISH, GERMAN, FRENCH, SPANISH].map((phrases) => [phrases.language, phrases]));

/** Phrases of a language; those of English for languages without phrases. */
export function phrasesOf(language: string): TablePhrases {
  return ALL.get(language) ?? ENGLISH;
}
