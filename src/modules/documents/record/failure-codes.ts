/**
 * Failure codes of ingestion and their meanings. Codes are stable: they are stored with the document, and user interfaces translate them. A
 * step of an extension may add its own codes.
 */
export const FAILURE_CODES = {
  EMPTY_FILE: 'The file has no bytes.',
  UNSUPPORTED_TYPE: 'Files of this type cannot be read.',
  TYPE_NOT_ALLOWED: 'The ingestion policy does not allow files of this type.',
  TYPE_MISMATCH: 'The content does not match the type that the file name suggests.',
  MALFORMED: 'The file is damaged or incomplete.',
  ENCRYPTED: 'The file is protected by a password or by usage rights.',
  ARCHIVE_LIMIT: 'The archive holds too many files, too much data or too many levels.',
  TEXT_TOO_LONG: 'The text is longer than the limit of the ingestion policy or of the installation.',
  TOO_LARGE_FOR_POLICY: 'The file of the archive is larger than the ingestion policy allows.',
  REJECTED_BY_POLICY:
    'A governance rule of the ingestion policy rejects the content; the file is removed after 24 hours.',
  TENANT_STORAGE_EXCEEDED: 'The storage limit of the tenant is reached.',
  CONVERTER_MISSING: 'The installation lacks a program that reads this type.',
  PARSER_TIMEOUT: 'Reading the file took too long.',
  PARSER_MEMORY: 'Reading the file took too much memory.',
  PARSER_CRASHED: 'The parser crashed while reading the file.',
  WORKER_LOST: 'The worker died several times while ingesting the document.',
  INTERNAL_ERROR: 'An unexpected error occurred several times.',
  'ai.provider_unavailable': 'A model did not answer within `INGESTION_PROVIDER_PATIENCE_HOURS`.',
  'ai.provider_rejected': 'A model refuses the request; settings or input must change.',
  'usage.budget_exhausted': 'A budget of the tenant is used up.',
} as const satisfies Readonly<Record<string, string>>;

export const FAILURE_CODE_NAMES = Object.keys(FAILURE_CODES) as (keyof typeof FAILURE_CODES)[];

/** The catalogue as a Markdown list, for descriptions. */
export const FAILURE_CODE_LIST = FAILURE_CODE_NAMES.map((code) => `- \`${code}\`: ${FAILURE_CODES[code]}`).join('\n');
