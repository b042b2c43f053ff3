import snowball from 'snowball-stemmers';
import { toNormalForm } from '#libs/common';
import { detectLanguage } from '#libs/text';
import { foldDiacritics } from './normalize.js';

/**
 * Stems by the rules of Snowball for the languages for which they were measured to find more, docs/retrieval-quality.md. Cyrillic and Arabic
 * letters are enough to choose by: the rules of the greatest language that is written in them are used for all, because question and chunk
 * are then treated alike however short they are. Latin letters tell nothing, so that Turkish is told from the text around a word.
 */

/** A term of every chunk that has the stems of its own language; no text holds it. */
export const STEMS_MARK = '⟨stems⟩';

/** A language by whose rules words are stemmed beside those of English. */
export type StemLanguage = 'ar' | 'ru' | 'tr';

/** What tells the language of a word in Latin letters; undefined where no rules but those of English are known. */
export type LatinLanguage = 'tr' | undefined;

/** The stem of a word by the rules of its own language. */
export interface OwnStem {
  /** Without diacritics, not empty; it may be the word itself. */
  readonly stem: string;
  readonly language: StemLanguage;
}

const CYRILLIC = /^\p{Script=Cyrillic}+$/u;
const ARABIC = /^\p{Script=Arabic}+$/u;
const LATIN = /^\p{Script=Latin}+$/u;
/** Vowel signs and the stroke that only stretches a word: two spellings of one word. */
const SIGNS_OF_ARABIC = /[\p{Mn}\u0640]/gu;
/** Letters of Persian, Urdu and others, whose words the rules of Arabic would cut wrongly. */
const NOT_ARABIC = /[پچژگٹڈڑںھہےۂۓ]/u;
/** Letters without which hardly a sentence of Turkish is written, and that few other languages have. */
const TURKISH = /[ğışĞİŞ]/;
/** The signs of those letters where they are written apart from them. */
const DECOMPOSED = /[\u0306\u0307\u0327]/;

const STEMMERS = {
  ar: snowball.newStemmer('arabic'),
  ru: snowball.newStemmer('russian'),
  tr: snowball.newStemmer('turkish'),
} as const;

/** The language by which words in Latin letters of a text are stemmed beside English. */
export function latinLanguageOf(text: string): LatinLanguage {
  const composed = DECOMPOSED.test(text) ? toNormalForm(text, 'NFC') : text;
  return TURKISH.test(composed) ? turkishOrNone(composed) : undefined;
}

/** The same of a text that may be too short to hold a letter that tells. */
export function latinLanguageOfQuestion(text: string): LatinLanguage {
  return turkishOrNone(DECOMPOSED.test(text) ? toNormalForm(text, 'NFC') : text);
}

function turkishOrNone(text: string): LatinLanguage {
  const { language } = detectLanguage(text);
  return language === 'tr' || (language === 'und' && TURKISH.test(text)) ? 'tr' : undefined;
}

/** The stem of a lower-case word; undefined where no rules for its language are known. */
export function ownStem(word: string, latin: LatinLanguage): OwnStem | undefined {
  const spelling = spellingOf(word, latin);
  if (spelling === undefined) return undefined;
  const stem = foldDiacritics(STEMMERS[spelling.language].stem(spelling.word));
  return stem === '' ? undefined : { stem, language: spelling.language };
}

/** As the rules of the language expect a word: spellings that the analysis takes for one must have one stem. */
function spellingOf(word: string, latin: LatinLanguage): { word: string; language: StemLanguage } | undefined {
  if (LATIN.test(word)) return latin === undefined ? undefined : { word, language: latin };
  if (CYRILLIC.test(word)) return { word: foldDiacritics(word), language: 'ru' };
  const unsigned = word.replace(SIGNS_OF_ARABIC, '');
  if (!ARABIC.test(unsigned) || NOT_ARABIC.test(unsigned)) return undefined;
  return { word: unsigned.replaceAll('ی', 'ي').replaceAll('ک', 'ك'), language: 'ar' };
}
