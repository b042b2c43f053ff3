/** Reason why the model is no longer asked. */
export type ExtractionStop =
  /** The budget of the run or of the tenant does not suffice for the next call, or the provider refuses every request. */
  | { readonly kind: 'ended'; readonly code: string; readonly message: string }
  /** The provider may answer later. */
  | { readonly kind: 'later'; readonly code: string; readonly message: string; readonly retryAfter: number }
  /** The document is deleted, in quarantine or changed. */
  | { readonly kind: 'closed' }
  /** Passages are new, and no model was requested. */
  | { readonly kind: 'not_asked' };

/** A document that was not read to its end; what was read of it is kept. */
export class ExtractionStopped extends Error {
  constructor(readonly stop: ExtractionStop) {
    super(`The extraction stopped: ${stop.kind}.`);
    this.name = 'ExtractionStopped';
  }
}

/** The error, to be rethrown when all other work has ended. */
export function errorOf(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error('Something else than an error was thrown.', { cause: thrown });
}
