import { Injectable } from '@nestjs/common';

/** Latest reason that this process found why something waits. */
export interface WaitCause {
  readonly reason: string;
  /** Code of the error that the dependency gave. */
  readonly code: string;
  /** Its words, without content of documents. */
  readonly message: string;
}

/** Latest errors of dependencies, by the reason for which work waits because of them. */
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
