import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import {
  allColumnsOf,
  columnsOf,
  result,
  statement,
  statementFamily,
  TenantRepository,
  UnitOfWork,
  type RowOf,
} from '#libs/database';
import type { RequestContext } from '#libs/tenancy';
import { conversationOwnerOf, ownedBy } from '../questions/conversation-owner.js';
import { ConversationEntity, ConversationTurnEntity, type TurnId } from '../turn/conversation.entity.js';
import { SHARED_ANSWER_ORDERS, type SharedAnswerOrder } from './shared-answer.dto.js';
import { SharedAnswerEntity } from './shared-answer.entity.js';

const SHARED = allColumnsOf(SharedAnswerEntity);
export type SharedAnswerRow = RowOf<typeof SHARED>;

const FOUND = { ...SHARED, ...columnsOf(ConversationTurnEntity, 'conversation_id'), is_own: result.boolean };
/** With the conversation of the answer, and whether that is the caller's. */
export type FoundSharedAnswerRow = RowOf<typeof FOUND>;

const OWN = {
  ...SHARED,
  ...columnsOf(ConversationTurnEntity, 'conversation_id', 'question'),
  ...columnsOf(ConversationEntity, 'title', 'last_turn_at'),
};
/** One of the caller's own, with its question and its conversation. */
export type OwnSharedAnswerRow = RowOf<typeof OWN>;

/** A page of the caller's own. */
export interface SharedAnswersPage {
  readonly orderBy: SharedAnswerOrder;
  readonly skip: number;
  readonly limit: number;
}

/** The turn is not deleted before the transaction ends. */
const HOLD_TURN = statement(
  columnsOf(ConversationTurnEntity, 'id'),
  `SELECT id FROM conversation_turns WHERE id = $1 FOR KEY SHARE`,
);
const INSERT = statement(
  SHARED,
  `INSERT INTO shared_answers (id, tenant_id, turn_id, created_by) VALUES ($1, $2, $3, $4)
   ON CONFLICT (turn_id) DO NOTHING RETURNING *`,
);
const FIND_OF_TURNS = statement(SHARED, `SELECT * FROM shared_answers WHERE turn_id = ANY ($1::uuid[])`);
const FIND = statement(
  FOUND,
  `SELECT s.*, t.conversation_id, (${ownedBy('c', 1)}) AS is_own FROM shared_answers s
   JOIN conversation_turns t ON t.id = s.turn_id JOIN conversations c ON c.id = t.conversation_id WHERE s.id = $3`,
);
const REMOVE = statement(SHARED, `DELETE FROM shared_answers WHERE turn_id = $1 RETURNING *`);

const OF_OWNER = `FROM shared_answers s JOIN conversation_turns t ON t.id = s.turn_id
  JOIN conversations c ON c.id = t.conversation_id WHERE ${ownedBy('c', 1)}`;
const COUNT_OWN = statement({ n: result.integer }, `SELECT count(*)::int AS n ${OF_OWNER}`);
const LIST_OWN = statementFamily(
  OWN,
  (order: SharedAnswerOrder) => {
    const direction = order.startsWith('-') ? 'DESC' : 'ASC';
    return `SELECT s.*, t.conversation_id, t.question, c.title, c.last_turn_at ${OF_OWNER}
      ORDER BY s.created_at ${direction}, s.id ${direction} LIMIT $3 OFFSET $4`;
  },
  SHARED_ANSWER_ORDERS.map((order) => [order] as const),
);

/** Links to answers. Callers have checked that the conversation is the caller's before they create or remove one. */
@Injectable()
export class SharedAnswersRepository extends TenantRepository {
  constructor(unitOfWork: UnitOfWork) {
    super(unitOfWork);
  }

  /** The link to a turn's answer, which is made where there is none yet. Undefined when the turn is gone. */
  async share(
    ctx: RequestContext,
    turnId: TurnId,
  ): Promise<{ readonly row: SharedAnswerRow; readonly isNew: boolean } | undefined> {
    return this.unitOfWork.run(ctx, async (_manager, inner) => {
      if ((await this.queryOne(inner, HOLD_TURN, [turnId])) === undefined) return undefined;
      const { accountId } = conversationOwnerOf(inner);
      const made = await this.queryOne(inner, INSERT, [randomUUID(), inner.tenantId, turnId, accountId]);
      if (made !== undefined) return { row: made, isNew: true };
      const [row] = await this.query(inner, FIND_OF_TURNS, [[turnId]]);
      return row === undefined ? undefined : { row, isNew: false };
    });
  }

  /** The links to answers of these turns, by the ids of the turns. */
  async findOfTurns(ctx: RequestContext, turnIds: readonly TurnId[]): Promise<ReadonlyMap<TurnId, SharedAnswerRow>> {
    if (turnIds.length === 0) return new Map();
    const rows = await this.query(ctx, FIND_OF_TURNS, [turnIds]);
    return new Map(rows.map((row) => [row.turn_id, row]));
  }

  /** Of the caller's tenant, no matter who made it. */
  async find(ctx: RequestContext, id: string): Promise<FoundSharedAnswerRow | undefined> {
    return this.queryOne(ctx, FIND, [...ownerValues(ctx), id]);
  }

  /** Number of the links to answers of the caller's own conversations. */
  async countOwn(ctx: RequestContext): Promise<number> {
    return (await this.queryOne(ctx, COUNT_OWN, ownerValues(ctx)))?.n ?? 0;
  }

  /** The links to answers of the caller's own conversations. */
  async listOwn(ctx: RequestContext, { orderBy, skip, limit }: SharedAnswersPage): Promise<OwnSharedAnswerRow[]> {
    return this.query(ctx, LIST_OWN.of(orderBy), [...ownerValues(ctx), limit, skip]);
  }

  /** Undefined where there is no link to the turn's answer. */
  async remove(ctx: RequestContext, turnId: TurnId): Promise<SharedAnswerRow | undefined> {
    return this.queryOne(ctx, REMOVE, [turnId]);
  }
}

function ownerValues(ctx: RequestContext): [string, string | null] {
  const { accountId, apiKeyId } = conversationOwnerOf(ctx);
  return [accountId, apiKeyId];
}
