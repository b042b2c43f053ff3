/** Why no model is asked any more. */
export type ExtractionStop =
  /** The bound of the run, or of the tenant, does not suffice for the next call; or the provider refuses whatever it is sent. */
  | { readonly kind: 'ended'; readonly code: string; readonly message: string }
  /** The provider may answer later. */
  | { readonly kind: 'later'; readonly code: string; readonly message: string; readonly retryAfter: number }
  /** The document is deleted, in quarantine or changed. */
  | { readonly kind: 'closed' }
  /** Passages are new, and no one has asked for a model. */
  | { readonly kind: 'not_asked' };

/** A document that was not read to its end; what was read of it is kept. */
export class ExtractionStopped extends Error {
  constructor(readonly stop: ExtractionStop) {
    super(`The extraction stopped: ${stop.kind}.`);
    this.name = 'ExtractionStopped';
  }
}

/** What was thrown, to be thrown on when everything else has come to its end. */
export function errorOf(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error('Something else than an error was thrown.', { cause: thrown });
}
