import { CatalogueError } from '#libs/common';
import type { Wait } from '../documents/index.js';

/** The work cannot go on now through no fault of the document; it is to be taken up again after `retryInMs`. */
export class Postponed extends Error {
  constructor(
    readonly reason: Exclude<Wait['reason'], 'retry_backoff'>,
    /** Code of the error that the dependency gave. */
    readonly code: string,
    readonly retryInMs: number,
    cause?: unknown,
  ) {
    super(`Postponed for ${retryInMs} ms: ${code}`, { cause });
    this.name = 'Postponed';
  }
}

/** True for an error by which a dependency says that the same call may succeed later: 429 or 503. */
export function meansLater(error: unknown): error is CatalogueError {
  return error instanceof CatalogueError && (error.status === 429 || error.status === 503);
}
