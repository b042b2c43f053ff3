import { defineErrors } from '#libs/common';

/** Errors of the object storage. */
export const storageErrors = defineErrors('storage', {
  object_too_large: {
    status: 413,
    title: 'File too large',
    detail: (facts: { maxBytes: number }) => `The file is larger than the allowed ${facts.maxBytes} bytes.`,
  },
  unavailable: {
    status: 503,
    title: 'Object storage not available',
    detail: (_facts: object) => 'The object storage does not answer at the moment. Try again later.',
  },
  object_exists: {
    status: 409,
    title: 'File exists',
    detail: (_facts: object) => 'A stored file with this name exists already and must not be replaced.',
  },
  object_not_found: {
    status: 404,
    title: 'File not found',
    detail: (_facts: object) => 'The stored file does not exist.',
  },
  invalid_range: {
    status: 422,
    title: 'Range not satisfiable',
    detail: (facts: { start: number; sizeBytes: number }) =>
      `The range begins at byte ${facts.start}, the file has ${facts.sizeBytes} bytes.`,
  },
  invalid_key: {
    status: 500,
    title: 'Invalid object key',
    detail: (_facts: { key: string }) => 'The name of a stored file does not have the form tenant/document/revision.',
  },
  provider_not_available: {
    status: 503,
    title: 'Object storage not available',
    detail: (facts: { value: string; available: readonly string[] }) =>
      `OBJECT_STORAGE=${facts.value} is not available in this version yet. Use ${facts.available.join(' or ')}.`,
  },
});
