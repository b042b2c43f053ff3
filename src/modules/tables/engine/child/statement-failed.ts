import type { FailureCode } from './protocol.js';

/** A statement failed for a reason of the service, not of the engine. */
export class StatementFailed extends Error {
  readonly code: FailureCode;

  constructor(code: FailureCode, detail: string) {
    super(detail);
    this.code = code;
  }
}
