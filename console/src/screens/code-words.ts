import type { Schema } from '../api/client';
import { currentLanguage, t } from '../texts/i18n';
import { isPlain } from '../texts/plain-words';
import { FAILURES } from './failure-codes';

type FailedDocument = Pick<Schema<'DocumentStatus'>, 'error' | 'error_message'>;

/** Remarks on what was read. */
const WARNINGS = [
  'ARCHIVE_PARTS_FAILED',
  'ARCHIVE_PART_KEPT',
  'ARCHIVE_STAYS_SPLIT',
  'ATTACHMENT_SKIPPED',
  'CHARACTERS_LOST',
  'CHARSET_UNCERTAIN',
  'ENRICHMENT_FAILED',
  'FORMULAS_NOT_CALCULATED',
  'GARBLED_TEXT',
  'HIDDEN_CELLS',
  'HIDDEN_SLIDES',
  'KG_EXTRACTION_FAILED',
  'LOW_TEXT_DENSITY',
  'MALFORMED',
  'MALFORMED_CSV',
  'MALFORMED_JSON',
  'MALFORMED_MESSAGE',
  'MALFORMED_XML',
  'OCR_UNAVAILABLE',
  'PAGES_FAILED',
  'PARTIAL_CONTENT',
  'READ_AS_PLAIN_TEXT',
  'REPLACED_CHARACTERS',
  'SAME_NAME',
  'SCANNED_PAGES',
  'STEP_FAILED',
  'STRUCK_OUT_TEXT',
  'TABLE_CELLS_LOOSE',
  'TEXT_LAYER_DIFFERS',
  'TRUNCATED',
  'TYPE_MISMATCH',
  'UNKNOWN_CHARSET',
  'VERTICAL_TEXT',
  'ZERO_CHUNKS',
] as const;

/** Failures that whoever has the file can do something about. */
const ADVISED = [
  'ARCHIVE_LIMIT',
  'CONVERTER_MISSING',
  'EMPTY_FILE',
  'ENCRYPTED',
  'MALFORMED',
  'PARSER_CRASHED',
  'PARSER_MEMORY',
  'PARSER_TIMEOUT',
  'TEXT_TOO_LONG',
  'TYPE_MISMATCH',
  'TYPE_NOT_ALLOWED',
  'UNSUPPORTED_TYPE',
] as const;

/** What people call the reason of a failure; undefined for one of another package or a later version. */
export function failureWords(code: string): string | undefined {
  return isOf(FAILURES, code) ? t(`failure.${code}`) : undefined;
}

/**
 * Why a document failed: the service's sentence for who reads English, which has the particulars, unless it is for programmers; else words for
 * its code, where they are known here.
 */
export function failedWords({ error, error_message: sentence }: FailedDocument): string {
  const words = error === null ? undefined : advisedWords(error.code);
  return (isSaid(sentence) ? sentence : (words ?? sentence)) ?? t('state.failed');
}

/** The reason, and what can be done about it. */
function advisedWords(code: string): string | undefined {
  const words = failureWords(code);
  return words !== undefined && isOf(ADVISED, code) ? `${words} ${t(`advice.${code}`)}` : words;
}

/** Whether a sentence of the service is said to who reads the page: it is English, and may be for programmers. */
export const isSaid = (sentence: string | null): boolean =>
  sentence !== null && currentLanguage() === 'en' && isPlain(sentence);

/** What people call a remark on what was read; undefined for one of another package or a later version. */
export function remarkWords(code: string): string | undefined {
  return isOf(WARNINGS, code) ? t(`warning.${code}`) : undefined;
}

/** Whether hidden parts of a file were read: as the policy of the dataset says, and the service's sentence with it; undefined for other remarks. */
export function hiddenWords(code: string, detail: string): string | undefined {
  if (code !== 'HIDDEN_CELLS' && code !== 'HIDDEN_SLIDES') return undefined;
  return t(/\b(?:was|were) left out\b/.test(detail) ? 'hidden.leftOut' : 'hidden.read');
}

function isOf<Code extends string>(codes: readonly Code[], code: string): code is Code {
  return (codes as readonly string[]).includes(code);
}
