import { defineErrors } from '#libs/common';

/** Seconds after which a caller may try again when the store cannot be reached. */
const RETRY_AFTER_SECONDS = 5;

const catalogue = defineErrors('vector_store', {
  schema_mismatch: {
    status: 409,
    title: 'Index does not fit',
    detail: (f: { expected: string; found: string }) =>
      `The index was made for ${f.found}, but the request is for ${f.expected}. Reindex the dataset.`,
  },
  index_missing: {
    status: 409,
    title: 'Index missing',
    detail: (f: { datasetId: string }) =>
      `Dataset ${f.datasetId} has no index: it was dropped or never created. Create it before writing.`,
  },
  unavailable: {
    status: 503,
    title: 'Vector store unavailable',
    detail: (f: { operation: string; reason: string }) =>
      `The vector store did not answer (${f.operation}: ${f.reason}). Try again later.`,
  },
  locked: {
    status: 503,
    title: 'Vector store in use',
    detail: (f: { pid: number; owner: string; directory: string }) =>
      `The embedded vector store in ${f.directory} is in use by ${f.owner}. ` +
      'Only one process at a time can use it: stop that process or use another data folder.',
  },
  not_configured: {
    status: 500,
    title: 'Vector store not configured',
    detail: (f: { kind: string; missing: readonly string[] }) =>
      `VECTOR_STORE=${f.kind} needs ${f.missing.length === 0 ? 'an adapter that is part of this version' : f.missing.join(', ')}.`,
  },
});

/** The errors of every vector store. */
export const vectorStoreErrors = {
  ...catalogue,
  /** 503 with `Retry-After`. */
  unavailable: (facts: { operation: string; reason: string }, cause?: unknown) =>
    catalogue.unavailable(facts, { retryAfter: RETRY_AFTER_SECONDS, cause }),
};
