import { ENGLISH } from './english.js';
import { FRENCH } from './french.js';
import { GERMAN } from './german.js';
import { SPANISH } from './spanish.js';
import type { TablePhrases } from './table-phrases.js';

const ALL = new Map([ENGLISH, GERMAN, FRENCH, SPANISH].map((phrases) => [phrases.language, phrases]));

/** How answers are said in a language; in English where this is none of four. */
export function phrasesOf(language: string): TablePhrases {
  return ALL.get(language) ?? ENGLISH;
}
