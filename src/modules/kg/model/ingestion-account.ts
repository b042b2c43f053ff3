import type { ModelUsage } from '#libs/ai';
import type { RequestContext } from '#libs/tenancy';
import { CallAccount, type KeptAnswer } from './call-account.js';
import type { ChunkAnswersRepository } from './chunk-answers.repository.js';

/** The account of an ingestion: the tenant's budget alone bounds it, which is around the model. */
export class IngestionAccount extends CallAccount {
  constructor(private readonly answers: ChunkAnswersRepository) {
    super();
  }

  async reserve(): Promise<boolean> {
    return true;
  }

  async settle(
    ctx: RequestContext,
    _reserved: number,
    _usage: ModelUsage | null,
    answer: KeptAnswer | null,
  ): Promise<void> {
    if (answer !== null) await this.answers.keep(ctx, answer.documentId, answer.key, [answer]);
  }
}
