import { detailOf, fieldDetail } from '../api/problem';
import { currentLanguage, t } from './i18n';
import { isPlain } from './plain-words';

/** Why a document or a file is refused, as far as it is known here. */
const REFUSALS = [
  'documents.not_found',
  'documents.duplicate',
  'documents.illegal_state',
  'documents.rejected_by_policy',
  'documents.type_not_supported',
  'documents.type_not_allowed',
  'documents.too_large_for_policy',
  'documents.file_too_large',
] as const;

/**
 * Why something is refused: the service's sentence for who reads English, which has the particulars, unless it is for programmers; else words
 * for its code, where there are.
 */
export function refusedWords(code: string | undefined, sentence: string): string {
  if (currentLanguage() === 'en' && isPlain(sentence)) return sentence;
  const known = REFUSALS.find((name) => name === code);
  return known === undefined ? sentence : t(`denied.${known}`);
}

/** What is wrong with the name of a dataset, for the field that it was typed into; undefined where it is something else. */
export function nameFault(error: unknown): string | undefined {
  const isTaken = detailOf(error, 'datasets.name_taken') !== undefined;
  return isTaken ? t('dataset.nameTaken') : fieldDetail(error, '/name');
}
