/** Reasons for which a document fails, as the description of the interface lists them (`DocumentErrorDto.code`). */
export const FAILURES = [
  'EMPTY_FILE',
  'UNSUPPORTED_TYPE',
  'TYPE_NOT_ALLOWED',
  'TYPE_MISMATCH',
  'MALFORMED',
  'ENCRYPTED',
  'ARCHIVE_LIMIT',
  'TEXT_TOO_LONG',
  'TOO_LARGE_FOR_POLICY',
  'REJECTED_BY_POLICY',
  'TENANT_STORAGE_EXCEEDED',
  'CONVERTER_MISSING',
  'PARSER_TIMEOUT',
  'PARSER_MEMORY',
  'PARSER_CRASHED',
  'WORKER_LOST',
  'INTERNAL_ERROR',
  'ai.provider_unavailable',
  'ai.provider_rejected',
  'usage.budget_exhausted',
] as const;

/** Those that lie in the file: another attempt at the same bytes fails again. */
const IN_THE_FILE: ReadonlySet<string> = new Set<(typeof FAILURES)[number]>([
  'EMPTY_FILE',
  'UNSUPPORTED_TYPE',
  'TYPE_MISMATCH',
  'MALFORMED',
  'ENCRYPTED',
]);

/** Whether another attempt may do better. */
export const mayPass = (code: string | undefined): boolean => code === undefined || !IN_THE_FILE.has(code);

/** The same of documents that are counted by the reasons of their failures. */
export const mayPassAny = ({
  error_code: codes,
}: {
  readonly error_code: readonly { readonly value: string }[];
}): boolean => codes.some(({ value }) => mayPass(value));
