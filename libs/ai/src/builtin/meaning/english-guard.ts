import { detectLanguage } from '#libs/text';
import { UNKNOWN } from './unigram-tokenizer.js';

/** More unknown tokens than this share, and the text is in another script. */
const MOST_UNKNOWN = 0.15;
/** Tokens for a word: English prose has 1.1 to 1.9, other languages 2 and more, because their words are put together of pieces. */
const MOST_PIECES = 1.55;
/** The same where no language is ahead of the others: a few words, or names. */
const MOST_PIECES_OF_FEW = 2;
const WORD = /[\p{L}\p{N}]+/gu;

/**
 * Whether an English model may be asked for the meaning of a text: not for one in another language or of signs that the model does not know, which
 * it would place anywhere. Judged by the text alone.
 */
export function isEnglish(text: string, ids: readonly number[]): boolean {
  if (ids.length === 0) return false;
  const unknown = ids.filter((id) => id === UNKNOWN).length;
  if (unknown / ids.length > MOST_UNKNOWN) return false;
  const words = text.match(WORD)?.length ?? 0;
  if (words === 0) return false;
  const pieces = (ids.length - unknown) / words;
  if (pieces <= MOST_PIECES) return true;
  const { language } = detectLanguage(text);
  return language === 'en' || (language === 'und' && pieces <= MOST_PIECES_OF_FEW);
}
