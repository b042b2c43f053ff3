import { defineErrors } from '#libs/common';

/** Errors of statements over tables: what is wrong and what to change. */
export const sqlErrors = defineErrors('sql', {
  syntax: { status: 422, title: 'Statement cannot be read', detail: (f: { reason: string }) => f.reason },
  not_one_select: { status: 422, title: 'Not one SELECT', detail: (f: { reason: string }) => f.reason },
  not_allowed: { status: 422, title: 'Statement not allowed', detail: (f: { reason: string }) => f.reason },
  unknown_table: { status: 422, title: 'Unknown table', detail: (f: { reason: string }) => f.reason },
  too_complex: { status: 422, title: 'Statement too complex', detail: (f: { reason: string }) => f.reason },
  parameters: { status: 422, title: 'Parameters do not fit', detail: (f: { reason: string }) => f.reason },
  invalid: {
    status: 422,
    title: 'Statement does not fit the tables',
    detail: (f: { reason: string }) => `The statement does not fit the tables: ${f.reason}`,
  },
  failed: {
    status: 422,
    title: 'Statement failed',
    detail: (f: { reason: string }) => `The statement failed on a value: ${f.reason}`,
  },
  timeout: {
    status: 422,
    title: 'Statement took too long',
    detail: (f: { ms: number }) =>
      `The statement did not end within ${f.ms} ms and was stopped. Read less, or give a longer timeout_ms.`,
  },
  memory: {
    status: 422,
    title: 'Statement needs too much memory',
    detail: () =>
      'The statement needs more memory than one statement may use and was stopped. Filter earlier, join fewer rows or select fewer columns.',
  },
  result_too_large: { status: 422, title: 'Result too large', detail: (f: { reason: string }) => f.reason },
  tables_too_large: {
    status: 422,
    title: 'Tables too large',
    detail: (f: { tables: string; megabytes: number }) =>
      `The tables that the statement reads (${f.tables}) need more than the ${f.megabytes} MiB of memory that one process may use for tables. Read fewer tables, or ask the operator for a larger TABLES_MEMORY_MB.`,
  },
  busy: {
    status: 503,
    title: 'Too many statements',
    detail: () =>
      'Too many statements are waiting, or this one was stopped because it ran long while others waited. Try again in a moment, or read less.',
  },
});
