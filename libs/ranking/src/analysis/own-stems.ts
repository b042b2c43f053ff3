import snowball from 'snowball-stemmers';
import { detectLanguage } from '#libs/text';
import { foldDiacritics } from './normalize.js';

/**
 * Stems by the rules of Snowball for the languages for which they were measured to find more, docs/retrieval-quality.md. Cyrillic and Arabic
 * letters are enough to choose by: the rules of the greatest language that is written in them are used for all, because question and chunk
 * are then treated alike however short they are. Latin letters tell nothing, so that Turkish is told from the text around a word.
 */

/** What tells the language of a word in Latin letters; undefined where no rules but those of English are known. */
export type LatinLanguage = 'tr' | undefined;

const CYRILLIC = /^\p{Script=Cyrillic}+$/u;
const ARABIC = /^[\p{Script=Arabic}\p{Mn}]+$/u;
/** Letters of Persian, Urdu and others, whose words the rules of Arabic would cut wrongly. */
const NOT_ARABIC = /[پچژگٹڈڑںھہےۂۓ]/u;
const STEMMED_ALPHABETS = /[\p{Script=Cyrillic}\p{Script=Arabic}]/u;
/** Letters without which hardly a sentence of Turkish is written, and that few other languages have. */
const TURKISH = /[ğışĞİŞ]/;

const arabic = snowball.newStemmer('arabic');
const russian = snowball.newStemmer('russian');
const turkish = snowball.newStemmer('turkish');

/** The language by which words in Latin letters of a text are stemmed beside English. */
export function latinLanguageOf(text: string): LatinLanguage {
  return TURKISH.test(text) ? latinLanguageOfQuestion(text) : undefined;
}

/** The same of a text that may be too short to hold a letter that tells. */
export function latinLanguageOfQuestion(text: string): LatinLanguage {
  const { language } = detectLanguage(text);
  return language === 'tr' || (language === 'und' && TURKISH.test(text)) ? 'tr' : undefined;
}

/** The stem, without diacritics, of a lower-case word; undefined where no rules for its language are known. */
export function ownStem(word: string, latin: LatinLanguage): string | undefined {
  if (CYRILLIC.test(word)) return foldDiacritics(russian.stem(word));
  if (ARABIC.test(word)) return NOT_ARABIC.test(word) ? undefined : foldDiacritics(arabic.stem(word));
  return latin === 'tr' ? foldDiacritics(turkish.stem(word)) : undefined;
}

/** Whether a piece of joined words is of an alphabet whose words are stemmed. */
export function isOfStemmedAlphabet(piece: string): boolean {
  return STEMMED_ALPHABETS.test(piece);
}
