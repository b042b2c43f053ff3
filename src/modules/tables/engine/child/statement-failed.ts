import type { FailureCode } from './protocol.js';

/** A statement ends with this for a reason of ours. */
export class StatementFailed extends Error {
  readonly code: FailureCode;

  constructor(code: FailureCode, detail: string) {
    super(detail);
    this.code = code;
  }
}
