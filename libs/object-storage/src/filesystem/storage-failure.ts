import { CatalogueError, fullPlaceOf, storageLow } from '#libs/common';
import { storageErrors } from '../object-storage.errors.js';

/** Seconds after which a caller may try again when the disk does not answer. */
const RETRY_AFTER = 30;

const UNAVAILABLE = new Set([
  'EACCES',
  'EPERM',
  'EROFS',
  'EIO',
  'ENOENT',
  'ENOTDIR',
  'EMFILE',
  'ENFILE',
  'ESTALE',
  'ENXIO',
]);

/** The catalogue error for an error of the file system; any other error is returned unchanged. */
export function asStorageError(error: unknown): unknown {
  if (error instanceof CatalogueError || !(error instanceof Error) || !('code' in error)) return error;
  if (fullPlaceOf(error) !== undefined) return storageLow('volume', { cause: error });
  if (UNAVAILABLE.has(String(error.code)))
    return storageErrors.unavailable({}, { retryAfter: RETRY_AFTER, cause: error });
  return error;
}

/** True when the path, or a folder on the way to it, does not exist. */
export function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

/** The result, or undefined when the path does not exist; every other failure as an error of the catalogue. */
export async function unlessMissing<T>(operation: Promise<T>): Promise<T | undefined> {
  try {
    return await operation;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw asStorageError(error);
  }
}
