import { ARABIC } from './arabic.js';
import { CHINESE } from './chinese.js';
import { DUTCH } from './dutch.js';
import { ENGLISH } from './english.js';
import { FRENCH } from './french.js';
import { GERMAN } from './german.js';
import { HINDI } from './hindi.js';
import { ITALIAN } from './italian.js';
import { JAPANESE } from './japanese.js';
import { KOREAN } from './korean.js';
import { POLISH } from './polish.js';
import { PORTUGUESE } from './portuguese.js';
import { RUSSIAN } from './russian.js';
import { SPANISH } from './spanish.js';
import { THAI } from './thai.js';
import { TURKISH } from './turkish.js';
import type { ProbePair } from './probe-pair.js';

/** Increases with every change of a text: scales that were measured with other texts are not comparable. */
export const PROBES_VERSION = 1;

/**
 * Texts with which an embedding model is measured: the same twelve questions and passages about a museum in each language. They share one
 * subject, so that a passage which does not answer is still similar; a question and its passage share hardly a word. Written for this product.
 */
export const PROBES: Readonly<Record<string, readonly ProbePair[]>> = {
  ar: ARABIC,
  de: GERMAN,
  en: ENGLISH,
  es: SPANISH,
  fr: FRENCH,
  hi: HINDI,
  it: ITALIAN,
  ja: JAPANESE,
  ko: KOREAN,
  nl: DUTCH,
  pl: POLISH,
  pt: PORTUGUESE,
  ru: RUSSIAN,
  th: THAI,
  tr: TURKISH,
  zh: CHINESE,
};
