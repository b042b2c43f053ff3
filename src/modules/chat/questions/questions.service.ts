import { Injectable } from '@nestjs/common';
import { AuditLog, UnitOfWork } from '#libs/database';
import type { RequestContext } from '#libs/tenancy';
import { DatasetAccess } from '../../datasets/index.js';
import { RecordedRequestsService } from '../../retrieval/index.js';
import type { DatasetQuestionPage, FeedbackRequest, ListQuestionsQuery, RequestFeedback } from './question.dto.js';
import { AskedQuestionsRepository, type QuestionWords } from './asked-questions.repository.js';
import { QuestionOutcomesRepository } from './question-outcomes.repository.js';
import { toDatasetQuestion } from './question-views.js';

/** Feedback on answers, and the questions that a dataset answered badly or not at all, for those who maintain it. */
@Injectable()
export class QuestionsService {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly requests: RecordedRequestsService,
    private readonly outcomes: QuestionOutcomesRepository,
    private readonly asked: AskedQuestionsRepository,
    private readonly datasets: DatasetAccess,
    private readonly audit: AuditLog,
  ) {}

  /** In place of what the caller said of the request before. @throws `retrieval.request_not_found` */
  async rate(ctx: RequestContext, requestId: string, request: FeedbackRequest): Promise<RequestFeedback> {
    const { rating, reason = null, expected = null } = request;
    const { id, ...question } = await this.requests.identify(ctx, requestId);
    const createdAt = await this.outcomes.rate(ctx, id, question, { rating, reason, expected });
    return { request_id: requestId, rating, reason, expected, created_at: createdAt.toISOString() };
  }

  /**
   * The questions that were refused or rated down, with those words that the caller may read. That words of others are shown is in the
   * audit log before.
   * @throws `datasets.not_found`
   */
  async list(ctx: RequestContext, datasetId: string, query: ListQuestionsQuery): Promise<DatasetQuestionPage> {
    const { outcome, order_by: orderBy, skip, limit } = query;
    return this.unitOfWork.run(ctx, async (_manager, inner) => {
      const { id } = await this.datasets.requireVisible(inner, datasetId);
      const total = await this.asked.count(inner, id, outcome);
      const page = { orderBy, skip, limit, ...(outcome === undefined ? {} : { outcome }) };
      const groups = await this.asked.list(inner, id, page);
      const keys = groups.map(({ question_key: key }) => key);
      const words = await this.asked.readWords(inner, id, keys, mayReview(inner));
      await this.noteReview(inner, id, words);
      const items = groups.map((group) => toDatasetQuestion(group, wordsOf(words, group.question_key)));
      return { items, total, skip, limit };
    });
  }

  private async noteReview(ctx: RequestContext, datasetId: string, words: readonly QuestionWords[]): Promise<void> {
    const others = words.filter(({ is_own: isOwn }) => !isOwn);
    if (others.length === 0) return;
    const details = { questions: new Set(others.map(({ question_key: key }) => key)).size };
    await this.audit.append(ctx, {
      event: 'conversation.questions_reviewed',
      subject: `dataset:${datasetId}`,
      details,
    });
  }
}

function mayReview({ principal }: RequestContext): boolean {
  return principal.permissions.has('conversations:review');
}

function wordsOf(words: readonly QuestionWords[], key: string): QuestionWords[] {
  return words.filter(({ question_key: own }) => own === key);
}
