import type { ModelUsage } from '#libs/ai';
import type { DocumentId } from '#libs/common';
import type { RequestContext } from '#libs/tenancy';
import type { HashedAnswer } from './chunk-answers.repository.js';

/** An answer to be stored, and the passage that it is about. */
export interface KeptAnswer extends HashedAnswer {
  readonly documentId: DocumentId;
  readonly key: string;
}

/** Budget and usage of the calls of one extraction. */
export abstract class CallAccount {
  /** Reserves an upper estimate of tokens; false when the budget has no room for it, even after the calls under way have ended. */
  abstract reserve(ctx: RequestContext, tokens: number): Promise<boolean>;

  /**
   * Replaces the reservation of a call by its usage and stores its answer, in one transaction. `usage` null: the call used nothing; `answer`
   * null: no answer is stored.
   */
  abstract settle(
    ctx: RequestContext,
    reserved: number,
    usage: ModelUsage | null,
    answer: KeptAnswer | null,
  ): Promise<void>;
}
