import type { JsonObject } from '#libs/common';
import { Settings } from '#libs/config';
import { Metrics } from '#libs/metrics';
import { defineTask, TaskHandler, withoutPayload, type RunningTask } from '#libs/tasks';
import type { RequestContext } from '#libs/tenancy';
import { TenantDirectory } from '../../accounts/index.js';
import { QuestionOutcomesRepository } from '../questions/question-outcomes.repository.js';
import { ChangedAnswers } from './changed-answers.service.js';
import { ConversationsRepository } from './conversations.repository.js';

/** Rows that one statement removes. */
const BATCH = 1_000;
const HOUR_SECONDS = 3_600;

/**
 * Hourly: conversations that no one has gone on with for CONVERSATIONS_KEPT_DAYS go, and so do questions that were refused or rated before, and
 * answers whose documents say something else by now.
 */
export const RETENTION_OF_CONVERSATIONS = defineTask({
  kind: 'retention_of_conversations',
  longestUnit: 'one round over the installation, for no tenant',
  parse: withoutPayload,
  every: () => HOUR_SECONDS,
});

/** Removes what is too old, tenant by tenant, because no role sees more than one tenant's. */
@TaskHandler(RETENTION_OF_CONVERSATIONS)
export class ExpiredConversations implements TaskHandler<object> {
  constructor(
    private readonly conversations: ConversationsRepository,
    private readonly questions: QuestionOutcomesRepository,
    private readonly changed: ChangedAnswers,
    private readonly tenants: TenantDirectory,
    private readonly settings: Settings,
    private readonly metrics: Metrics,
  ) {}

  async run(task: RunningTask<object>): Promise<JsonObject> {
    const days = this.settings.values.conversationsKeptDays;
    let removed = 0;
    for (const tenantId of await this.tenants.list()) {
      const ctx: RequestContext = { ...task.ctx, tenantId };
      removed += await this.changed.remove(ctx);
      for (let isMore = true; isMore;) {
        const conversations = await this.conversations.removeOld(ctx, days, BATCH);
        const questions = await this.questions.removeOld(ctx, days, BATCH);
        removed += conversations + questions;
        this.metrics.countExpired('conversations', conversations);
        this.metrics.countExpired('questions', questions);
        await task.report({ removed });
        isMore = conversations === BATCH || questions === BATCH;
      }
    }
    return { removed };
  }
}
