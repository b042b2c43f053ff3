import { defineErrors } from '#libs/common';

/** Statements over tables: what is wrong with them, and what to change. */
export const sqlErrors = defineErrors('sql', {
  syntax: { status: 422, title: 'Statement cannot be read', detail: (f: { reason: string }) => f.reason },
  not_one_select: { status: 422, title: 'Not one SELECT', detail: (f: { reason: string }) => f.reason },
  not_allowed: { status: 422, title: 'Statement not allowed', detail: (f: { reason: string }) => f.reason },
  unknown_table: { status: 422, title: 'Unknown table', detail: (f: { reason: string }) => f.reason },
  too_complex: { status: 422, title: 'Statement too complex', detail: (f: { reason: string }) => f.reason },
  parameters: { status: 422, title: 'Parameters do not fit', detail: (f: { reason: string }) => f.reason },
  invalid: {
    status: 422,
    title: 'Statement cannot be carried out',
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
      'The statement needs more memory than there is for one and was stopped. Filter earlier, join fewer rows, or select fewer columns.',
  },
  result_too_large: { status: 422, title: 'Result too large', detail: (f: { reason: string }) => f.reason },
  tables_too_large: {
    status: 422,
    title: 'Tables too large',
    detail: (f: { tables: string; megabytes: number }) =>
      `The tables that the statement reads (${f.tables}) need more memory than the ${f.megabytes} MiB that this installation gives to the tables of one process. Read fewer tables, or ask the operator for a larger TABLES_MEMORY_MB.`,
  },
  busy: {
    status: 503,
    title: 'Too many statements',
    detail: () =>
      'Too many statements wait for their turn, or this one ran for long while others waited. Try again in a moment, or read less.',
  },
});
