import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { newId, toNormalForm } from '#libs/common';
import { columnsOf, result, statement, TenantRepository, UnitOfWork, type RowOf } from '#libs/database';
import type { RequestContext } from '#libs/tenancy';
import { conversationOwnerOf, ownedBy } from './conversation-owner.js';
import { QuestionOutcomeEntity, type Rating } from './question-outcome.entity.js';
import type { RefusalCode } from '../turn/refusals.js';

/** A question of a request. */
export interface AskedQuestion {
  readonly requestId: string;
  readonly question: string;
  readonly datasetIds: readonly string[];
}

/** The caller's feedback on an answer. */
export interface Feedback {
  readonly rating: Rating;
  readonly reason: string | null;
  readonly expected: string | null;
}

const RATED = {
  ...columnsOf(QuestionOutcomeEntity, 'request_id', 'reason', 'expected', 'created_at'),
  rating: result.present(result.text<Rating>()),
};
export type TurnFeedbackRow = RowOf<typeof RATED>;

/** A conversation that is gone by now counts as none. */
const ADD_REFUSAL = statement(
  {},
  `INSERT INTO question_outcomes (id, tenant_id, account_id, api_key_id, request_id, conversation_id, question, question_key, refusal_code)
   VALUES ($1, $2, $3, $4, $5, (SELECT c.id FROM conversations c WHERE c.id = $6), $7, $8, $9)`,
);
const OF_TURN = `(SELECT t.conversation_id FROM conversation_turns t JOIN conversations c ON c.id = t.conversation_id
   WHERE t.request_id = $5 AND ${ownedBy('c', 3)} ORDER BY t.answered_at DESC, t.id DESC LIMIT 1)`;
const RATE = statement(
  columnsOf(QuestionOutcomeEntity, 'created_at'),
  `INSERT INTO question_outcomes (id, tenant_id, account_id, api_key_id, request_id, conversation_id, question, question_key, rating, reason, expected)
   VALUES ($1, $2, $3, $4, $5, ${OF_TURN}, $6, $7, $8, $9, $10)
   ON CONFLICT (id) DO UPDATE SET rating = EXCLUDED.rating, reason = EXCLUDED.reason, expected = EXCLUDED.expected, created_at = now()
   RETURNING created_at`,
);
const ADD_DATASETS = statement(
  {},
  `INSERT INTO question_outcome_datasets (tenant_id, outcome_id, dataset_id) SELECT $1, $2, d FROM unnest($3::uuid[]) AS d
   ON CONFLICT DO NOTHING`,
);
const FIND_RATED = statement(
  RATED,
  `SELECT DISTINCT ON (q.request_id) q.request_id, q.rating, q.reason, q.expected, q.created_at FROM question_outcomes q
   WHERE ${ownedBy('q', 1)} AND q.request_id = ANY ($3::text[]) AND q.rating IS NOT NULL
   ORDER BY q.request_id, q.created_at DESC, q.id DESC`,
);
const REMOVED = columnsOf(QuestionOutcomeEntity, 'id');
const REMOVE_OLD = statement(
  REMOVED,
  `DELETE FROM question_outcomes WHERE id IN (
     SELECT id FROM question_outcomes WHERE created_at < now() - make_interval(days => $1) ORDER BY created_at LIMIT $2)
   RETURNING id`,
);
const REMOVE_OF_DATASET = statement(
  REMOVED,
  `DELETE FROM question_outcomes WHERE id IN (SELECT l.outcome_id FROM question_outcome_datasets l WHERE l.dataset_id = $1)
   RETURNING id`,
);

/** Records the outcomes of questions: refusals and ratings of answers. */
@Injectable()
export class QuestionOutcomesRepository extends TenantRepository {
  constructor(unitOfWork: UnitOfWork) {
    super(unitOfWork);
  }

  /** Does not wait for the disk. */
  async addRefusal(
    ctx: RequestContext,
    refused: AskedQuestion & { readonly conversationId: string | null; readonly refusalCode: RefusalCode },
  ): Promise<void> {
    const { requestId, question, datasetIds, conversationId, refusalCode } = refused;
    const id = newId();
    await this.unitOfWork.run(
      ctx,
      async (_manager, inner) => {
        const key = questionKeyOf(question);
        await this.query(inner, ADD_REFUSAL, [
          ...rowHead(inner, id, requestId),
          conversationId,
          question,
          key,
          refusalCode,
        ]);
        await this.query(inner, ADD_DATASETS, [inner.tenantId, id, datasetIds]);
      },
      { durable: false },
    );
  }

  /** Replaces earlier feedback of the caller on the same request. `id`: that of the request in the ledger. Resolves to the time of the rating. */
  async rate(ctx: RequestContext, id: string, asked: AskedQuestion, feedback: Feedback): Promise<Date> {
    const { requestId, question, datasetIds } = asked;
    const { rating, reason, expected } = feedback;
    return this.unitOfWork.run(ctx, async (_manager, inner) => {
      const values = [question, questionKeyOf(question), rating, reason, expected];
      const row = await this.queryOne(inner, RATE, [...rowHead(inner, id, requestId), ...values]);
      await this.query(inner, ADD_DATASETS, [inner.tenantId, id, datasetIds]);
      return row!.created_at;
    });
  }

  /** What the caller said last of requests, by their ids. */
  async findFeedback(
    ctx: RequestContext,
    requestIds: readonly string[],
  ): Promise<ReadonlyMap<string, TurnFeedbackRow>> {
    if (requestIds.length === 0) return new Map();
    const { accountId, apiKeyId } = conversationOwnerOf(ctx);
    const rows = await this.query(ctx, FIND_RATED, [accountId, apiKeyId, requestIds]);
    return new Map(rows.map((row) => [row.request_id, row]));
  }

  /** Removes some of the tenant's that are older than this many days. Answers how many. */
  async removeOld(ctx: RequestContext, days: number, limit: number): Promise<number> {
    return (await this.query(ctx, REMOVE_OLD, [days, limit])).length;
  }

  /** Removes what was asked of a dataset. */
  async removeOfDataset(ctx: RequestContext, datasetId: string): Promise<void> {
    await this.query(ctx, REMOVE_OF_DATASET, [datasetId]);
  }
}

/** Values of the columns that every row begins with. */
function rowHead(ctx: RequestContext, id: string, requestId: string): unknown[] {
  const { accountId, apiKeyId } = conversationOwnerOf(ctx);
  return [id, ctx.tenantId, accountId, apiKeyId, requestId];
}

/**
 * Key that is equal for questions that differ only in case, white space and punctuation at the ends. A hash, so that long questions have short
 * keys.
 */
export function questionKeyOf(question: string): string {
  const folded = toNormalForm(question, 'NFKC').toLowerCase().replace(/\s+/gu, ' ');
  const bare = folded.replace(/^[\s\p{P}]+|[\s\p{P}]+$/gu, '');
  return createHash('sha256')
    .update(bare === '' ? folded : bare)
    .digest('hex');
}
