import { Injectable } from '@nestjs/common';
import type { DatasetId } from '#libs/common';
import {
  columnsOf,
  result,
  statement,
  statementFamily,
  TenantRepository,
  UnitOfWork,
  type RowOf,
} from '#libs/database';
import type { RequestContext } from '#libs/tenancy';
import { DatasetAccess, visibilityVariantsOf } from '../../datasets/index.js';
import { conversationOwnerOf, ownedBy } from './conversation-owner.js';
import { QUESTION_ORDERS, type QuestionOrder, type QuestionOutcome } from './question.dto.js';
import type { RefusalCode } from '../turn/refusals.js';
import { QuestionOutcomeEntity } from './question-outcome.entity.js';

export interface QuestionListPage {
  readonly outcome?: QuestionOutcome;
  readonly orderBy: QuestionOrder;
  readonly skip: number;
  readonly limit: number;
}

/** Newest words and remarks that are read of one question. */
const WORDS_READ = 5;

const GROUP = {
  ...columnsOf(QuestionOutcomeEntity, 'question_key'),
  id: result.present(result.uuid()),
  refused: result.integer,
  rated_down: result.integer,
  refusal_codes: result.present(result.texts<RefusalCode>()),
  last_asked_at: result.present(result.time),
};
/** A question with the counts of its outcomes. */
export type QuestionGroup = RowOf<typeof GROUP>;
const WORDS = {
  ...columnsOf(QuestionOutcomeEntity, 'question_key', 'question', 'reason', 'expected', 'rating', 'created_at'),
  is_own: result.boolean,
};
/** One of those who asked, as the caller may read it. */
export type QuestionWords = RowOf<typeof WORDS>;

const ORDERS: Readonly<Record<QuestionOrder, string>> = {
  last_asked_at: 'last_asked_at ASC, question_key ASC',
  '-last_asked_at': 'last_asked_at DESC, question_key DESC',
  count: 'count(*) ASC, question_key ASC',
  '-count': 'count(*) DESC, question_key DESC',
};
const OF_DATASET = `FROM question_outcome_datasets l JOIN question_outcomes q ON q.id = l.outcome_id
  WHERE l.dataset_id = $1 AND (q.refusal_code IS NOT NULL OR q.rating = 'down')`;
const FILTERED = `${OF_DATASET} AND ($2::text IS NULL OR ($2::text = 'refused') = (q.refusal_code IS NOT NULL))`;
const COUNT = statement({ n: result.integer }, `SELECT count(DISTINCT q.question_key)::int AS n ${FILTERED}`);
const LIST = statementFamily(
  GROUP,
  (order: QuestionOrder, limit: number, skip: number) =>
    `SELECT q.question_key, (array_agg(q.id ORDER BY q.created_at DESC, q.id DESC))[1] AS id,
       count(q.refusal_code)::int AS refused, count(q.rating)::int AS rated_down,
       array_remove(array_agg(DISTINCT q.refusal_code), NULL) AS refusal_codes, max(q.created_at) AS last_asked_at
     ${FILTERED} GROUP BY q.question_key ORDER BY ${ORDERS[order]} LIMIT ${limit} OFFSET ${skip}`,
  QUESTION_ORDERS.map((order) => [order, 20, 0] as const),
);
const NONE = 'false';
/** That the reviewer sees every dataset that was asked; `visible` is the visibility rule over the alias `d`. */
const sightOf = (visible: string): string =>
  `NOT EXISTS (SELECT 1 FROM question_outcome_datasets x WHERE x.outcome_id = q.id
     AND NOT EXISTS (SELECT 1 FROM datasets d WHERE d.id = x.dataset_id AND ${visible}))`;
const READ_WORDS = statementFamily(
  WORDS,
  (reviewed: string) =>
    `SELECT w.question_key, w.question, w.reason, w.expected, w.rating, w.created_at, w.is_own FROM (
       SELECT q.*, (${ownedBy('q', 3)}) AS is_own,
         row_number() OVER (PARTITION BY q.question_key ORDER BY q.created_at DESC, q.id DESC) AS n
       ${OF_DATASET} AND q.question_key = ANY ($2::text[]) AND ((${ownedBy('q', 3)}) OR ${reviewed})) w
     WHERE w.n <= ${WORDS_READ} ORDER BY w.question_key, w.n`,
  [NONE, ...visibilityVariantsOf('d', 5).map(sightOf)].map((reviewed) => [reviewed] as const),
);

/** Questions of a dataset that were refused or rated down. Callers have checked that the dataset is visible. */
@Injectable()
export class AskedQuestionsRepository extends TenantRepository {
  constructor(
    unitOfWork: UnitOfWork,
    private readonly access: DatasetAccess,
  ) {
    super(unitOfWork);
  }

  async count(ctx: RequestContext, datasetId: DatasetId, outcome: QuestionOutcome | undefined): Promise<number> {
    return (await this.queryOne(ctx, COUNT, [datasetId, outcome ?? null]))?.n ?? 0;
  }

  async list(
    ctx: RequestContext,
    datasetId: DatasetId,
    { outcome, orderBy, skip, limit }: QuestionListPage,
  ): Promise<QuestionGroup[]> {
    return this.query(ctx, LIST.of(orderBy, limit, skip), [datasetId, outcome ?? null]);
  }

  /**
   * The newest words of each question that the caller may read: his own, and for a reviewer those of others who asked nothing but datasets
   * that he sees. Newest first.
   */
  async readWords(
    ctx: RequestContext,
    datasetId: DatasetId,
    keys: readonly string[],
    isReviewer: boolean,
  ): Promise<QuestionWords[]> {
    if (keys.length === 0) return [];
    const { accountId, apiKeyId } = conversationOwnerOf(ctx);
    const visible = this.access.visibilityCondition(ctx, 'd', 5);
    const reviewed = isReviewer ? sightOf(visible.sql) : NONE;
    const parameters = isReviewer ? visible.parameters : [];
    return this.query(ctx, READ_WORDS.of(reviewed), [datasetId, keys, accountId, apiKeyId, ...parameters]);
  }
}
