import { CatalogueError } from '#libs/common';
import { storageErrors } from '../object-storage.errors.js';

/** Seconds after which a caller may try again when the server is full or does not answer. */
const RETRY_AFTER = 30;
const ABSENT = new Set(['NoSuchKey', 'NotFound']);
const TAKEN = new Set(['PreconditionFailed', 'ConditionalRequestConflict']);
const FULL = new Set(['InsufficientStorage', 'QuotaExceeded', 'XMinioStorageFull']);
const GONE = new Set(['NoSuchUpload']);

interface ServerError extends Error {
  readonly $metadata: { readonly httpStatusCode?: number };
}

function isServerError(error: unknown): error is ServerError {
  return error instanceof Error && '$metadata' in error;
}

function statusOf(error: unknown): number | undefined {
  return isServerError(error) ? error.$metadata.httpStatusCode : undefined;
}

/** Whether there is no object of that key. A missing bucket is no such thing. */
export function isAbsent(error: unknown): boolean {
  return isServerError(error) && ABSENT.has(error.name);
}

/** Whether the server knows no such upload: it was completed or given up. */
export function isGone(error: unknown): boolean {
  return isServerError(error) && GONE.has(error.name);
}

export function isOutOfRange(error: unknown): boolean {
  return isServerError(error) && (error.name === 'InvalidRange' || statusOf(error) === 416);
}

/** What the server or the way to it reported, as an error of the catalogue. */
export function asStorageError(error: unknown): unknown {
  if (error instanceof CatalogueError) return error;
  if (isAbsent(error)) return storageErrors.object_not_found({});
  if (isServerError(error) && (TAKEN.has(error.name) || statusOf(error) === 412))
    return storageErrors.object_exists({});
  const facts = { retryAfter: RETRY_AFTER, cause: error };
  if ((isServerError(error) && FULL.has(error.name)) || statusOf(error) === 507) {
    return storageErrors.insufficient_space({}, facts);
  }
  return storageErrors.unavailable({}, facts);
}
