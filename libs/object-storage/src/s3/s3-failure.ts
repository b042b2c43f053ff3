import { CatalogueError, fullPlaceOf, storageLow } from '#libs/common';
import { storageErrors } from '../object-storage.errors.js';

/** Seconds after which a caller may try again when the server does not answer. */
const RETRY_AFTER = 30;
const ABSENT = new Set(['NoSuchKey', 'NotFound']);
const TAKEN = new Set(['PreconditionFailed', 'ConditionalRequestConflict']);
/** As the servers of several makers name it: `QuotaExceeded`, `XMinioStorageFull`, `XMinioAdminBucketQuotaExceeded`, `InsufficientCapacity`. */
const FULL =
  /storage_?full|disk_?full|quota_?(exceeded|limit)|insufficient_?(storage|capacity|space)|no_?space|storage_?(limit|quota)/i;
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

/** Whether the object does not exist; false for a missing bucket. */
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

/** The catalogue error for an error of the server or the network. */
export function asStorageError(error: unknown): unknown {
  if (error instanceof CatalogueError) return error;
  if (isAbsent(error)) return storageErrors.object_not_found({});
  if (isServerError(error) && (TAKEN.has(error.name) || statusOf(error) === 412))
    return storageErrors.object_exists({});
  if ((isServerError(error) && FULL.test(error.name)) || statusOf(error) === 507) {
    return storageLow('object_storage', { cause: error });
  }
  // Local copies of objects lie on our own volume.
  if (fullPlaceOf(error) !== undefined) return storageLow('volume', { cause: error });
  return storageErrors.unavailable({}, { retryAfter: RETRY_AFTER, cause: error });
}
