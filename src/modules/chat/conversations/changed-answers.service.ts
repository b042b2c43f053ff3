import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '#libs/database';
import type { RequestContext } from '#libs/tenancy';
import { ConversationTurnsRepository } from './conversation-turns.repository.js';
import { VisibleAnswers } from './visible-answers.service.js';

/** Turns that one transaction looks at. */
const BATCH = 50;
const BEFORE_ALL = '00000000-0000-0000-0000-000000000000';

/**
 * Removes the answers of a tenant whose documents have changed: a stricter policy may have masked a text, which must then not stay in the
 * database. Until then the answers are withheld from their owner. An answer whose document is not shown at the moment waits until it is.
 */
@Injectable()
export class ChangedAnswers {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly turns: ConversationTurnsRepository,
    private readonly seen: VisibleAnswers,
  ) {}

  /** Answers how many; `ctx` is that of the service itself, which sees every dataset. */
  async remove(ctx: RequestContext): Promise<number> {
    let removed = 0;
    for (let after: string | undefined = BEFORE_ALL; after !== undefined;) {
      const batch = await this.removeBatch(ctx, after);
      removed += batch.removed;
      after = batch.last;
    }
    return removed;
  }

  private async removeBatch(
    ctx: RequestContext,
    after: string,
  ): Promise<{ readonly removed: number; readonly last: string | undefined }> {
    return this.unitOfWork.run(ctx, async (_manager, inner) => {
      const turns = await this.turns.takeUnsure(inner, after, BATCH);
      const found = await this.seen.compare(inner, turns);
      const others = turns.flatMap(({ id }, index) =>
        found[index] === true ? [] : [{ id, isUnsure: found[index] === undefined }],
      );
      return { removed: await this.turns.settle(inner, others), last: turns.at(-1)?.id };
    });
  }
}
