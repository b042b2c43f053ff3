import type { ModelUsage } from '#libs/ai';
import type { DocumentId } from '#libs/common';
import type { RequestContext } from '#libs/tenancy';
import type { HashedAnswer } from './chunk-answers.repository.js';

/** An answer to be kept, and what it was read for. */
export interface KeptAnswer extends HashedAnswer {
  readonly documentId: DocumentId;
  readonly key: string;
}

/** What calls of one extraction may take, and have taken. */
export abstract class CallAccount {
  /** Sets an upper estimate aside; false when there is no room for it and none will come. */
  abstract reserve(ctx: RequestContext, tokens: number): Promise<boolean>;

  /**
   * Counts what a call took in place of what was set aside, and keeps the answer that it gave, in one transaction: neither is there without
   * the other. `usage` null: nothing was taken; `answer` null: nothing is kept.
   */
  abstract settle(
    ctx: RequestContext,
    reserved: number,
    usage: ModelUsage | null,
    answer: KeptAnswer | null,
  ): Promise<void>;
}
