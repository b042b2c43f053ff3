import { Injectable } from '@nestjs/common';

/** Why something waits, as this process met it last. */
export interface WaitCause {
  readonly reason: string;
  /** Code of the error that the dependency gave. */
  readonly code: string;
  /** Its words, without content of documents. */
  readonly message: string;
}

/** What dependencies said when they were last asked in vain, by the reason for which work then waits. */
@Injectable()
export class WaitCauses {
  private readonly causes = new Map<string, WaitCause>();

  note(cause: WaitCause): void {
    this.causes.set(cause.reason, cause);
  }

  /** Of these reasons. */
  of(reasons: readonly string[]): WaitCause[] {
    return reasons.flatMap((reason) => this.causes.get(reason) ?? []);
  }
}
