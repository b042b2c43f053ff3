import type { ModelUsage } from '#libs/ai';
import type { RequestContext } from '#libs/tenancy';
import type { KgGraphsRepository } from '../graphs/kg-graphs.repository.js';
import { CallAccount, type KeptAnswer } from './call-account.js';
import type { ChunkAnswersRepository } from './chunk-answers.repository.js';

/** The account of a requested run. Budget and usage are in the row of the run, so that they hold for several processes. */
export class RunAccount extends CallAccount {
  private open = 0;
  private ended = 0;
  private waiting: (() => void)[] = [];

  constructor(
    private readonly run: { readonly graphId: string; readonly taskId: string },
    private readonly graphs: KgGraphsRepository,
    private readonly answers: ChunkAnswersRepository,
    private readonly costOf: (usage: ModelUsage) => number,
  ) {
    super();
  }

  /** Waits for calls under way, which use less than was reserved. */
  async reserve(ctx: RequestContext, tokens: number): Promise<boolean> {
    for (;;) {
      const ended = this.ended;
      if (await this.graphs.reserve(ctx, this.run.graphId, this.run.taskId, tokens)) {
        this.open += 1;
        return true;
      }
      if (this.ended !== ended) continue;
      if (this.open === 0) return false;
      await new Promise<void>((resolve) => this.waiting.push(resolve));
    }
  }

  async settle(
    ctx: RequestContext,
    reserved: number,
    usage: ModelUsage | null,
    answer: KeptAnswer | null,
  ): Promise<void> {
    const { graphId, taskId } = this.run;
    try {
      const call = { reserved, usage, cost: usage === null ? 0 : this.costOf(usage) };
      await this.answers.inOne(ctx, async (inner) => {
        await this.graphs.settle(inner, graphId, taskId, call);
        if (answer !== null) await this.answers.keep(inner, answer.documentId, answer.key, [answer]);
      });
    } finally {
      this.open -= 1;
      this.ended += 1;
      for (const wake of this.waiting.splice(0)) wake();
    }
  }
}
