import { ModelFailure } from '#libs/ai';
import { catalogueErrorOf, type CatalogueError } from '#libs/common';
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

/** The error by which a dependency says that the same call may succeed later, 429 or 503; undefined when it says nothing of the kind. */
export function laterErrorOf(error: unknown): CatalogueError | undefined {
  if (error instanceof ModelFailure && !error.isTransient) return undefined;
  const known = catalogueErrorOf(error);
  return known?.status === 429 || known?.status === 503 ? known : undefined;
}
