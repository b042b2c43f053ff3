import { t } from '../texts/i18n';

/** Reasons for which a document fails, as far as they are known here. */
const FAILURES = [
  'ARCHIVE_LIMIT',
  'CONVERTER_MISSING',
  'EMPTY_FILE',
  'ENCRYPTED',
  'INTERNAL_ERROR',
  'MALFORMED',
  'PARSER_CRASHED',
  'PARSER_MEMORY',
  'PARSER_TIMEOUT',
  'REJECTED_BY_POLICY',
  'STEP_FAILED',
  'TENANT_STORAGE_EXCEEDED',
  'TEXT_TOO_LONG',
  'TYPE_MISMATCH',
  'TYPE_NOT_ALLOWED',
  'UNSUPPORTED_TYPE',
  'WORKER_LOST',
] as const;
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
  'TEXT_LAYER_DIFFERS',
  'TRUNCATED',
  'TYPE_MISMATCH',
  'UNKNOWN_CHARSET',
  'VERTICAL_TEXT',
  'ZERO_CHUNKS',
] as const;

/** What people call the reason of a failure; undefined for one of another package or a later version. */
export function failureWords(code: string): string | undefined {
  return isOf(FAILURES, code) ? t(`failure.${code}`) : undefined;
}

/** What people call a remark on what was read; undefined for one of another package or a later version. */
export function remarkWords(code: string): string | undefined {
  return isOf(WARNINGS, code) ? t(`warning.${code}`) : undefined;
}

function isOf<Code extends string>(codes: readonly Code[], code: string): code is Code {
  return (codes as readonly string[]).includes(code);
}
