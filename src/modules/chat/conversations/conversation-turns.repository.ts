import { Injectable } from '@nestjs/common';
import { newId } from '#libs/common';
import {
  allColumnsOf,
  columnsOf,
  result,
  statement,
  TenantRepository,
  UnitOfWork,
  type RowOf,
  type TransactionContext,
} from '#libs/database';
import type { RequestContext } from '#libs/tenancy';
import {
  ConversationEntity,
  ConversationTurnEntity,
  type ConversationId,
  type TurnId,
} from '../turn/conversation.entity.js';
import { ConversationsRepository } from './conversations.repository.js';
import type { EndedTurn } from './ended-turn.js';

/** Characters of the first question that a conversation without a name is called by. */
const TITLE_CHARACTERS = 80;

const TURN = allColumnsOf(ConversationTurnEntity);
export type TurnRow = RowOf<typeof TURN>;

/** The lock lets no document be deleted in between, whose trigger would not find the turn. */
const HOLD = statement(
  { id: result.uuid() },
  `SELECT id FROM documents WHERE deleted_at IS NULL AND id IN (
     SELECT unnest($1::uuid[]) UNION SELECT document_id FROM conversation_turn_documents WHERE turn_id = ANY ($2::uuid[]))
   ORDER BY id FOR SHARE`,
);
/** Earlier answers that are there. They stay until the transaction ends, no matter who finds that their documents say something else by now. */
const HOLD_ANSWERS = statement(
  columnsOf(ConversationTurnEntity, 'id'),
  `SELECT id FROM conversation_turns WHERE id = ANY ($1::uuid[]) AND content IS NOT NULL ORDER BY id FOR SHARE`,
);
const INSERT = statement(
  {},
  `INSERT INTO conversation_turns (id, tenant_id, conversation_id, place, request_id, question, model, dataset_ids, context_turn_ids, state, content, asked_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
);
const INSERT_DOCUMENTS = statement(
  {},
  `INSERT INTO conversation_turn_documents (tenant_id, turn_id, document_id) SELECT $1, $2, d FROM unnest($3::uuid[]) AS d`,
);
const LIST_BEFORE = statement(
  TURN,
  `SELECT * FROM conversation_turns WHERE conversation_id = $1 AND place < $2 ORDER BY place DESC LIMIT $3`,
);
const FIND = statement(TURN, `SELECT * FROM conversation_turns WHERE id = ANY ($1::uuid[])`);
/** They cannot be made unsure again before the transaction ends. */
const TAKE_UNSURE = statement(
  TURN,
  `UPDATE conversation_turns SET unsure = false WHERE id IN (
     SELECT id FROM conversation_turns WHERE unsure AND id > $1 ORDER BY id LIMIT $2 FOR UPDATE SKIP LOCKED)
   RETURNING *`,
);
const SETTLE = statement(
  {},
  `UPDATE conversation_turns t SET unsure = s.unsure, content = CASE WHEN s.unsure THEN t.content END
   FROM unnest($1::uuid[], $2::boolean[]) AS s(id, unsure) WHERE t.id = s.id`,
);
/** Removes the answers that were given those of these turns. */
const FORGET_GIVEN = statement(
  columnsOf(ConversationTurnEntity, 'id'),
  `UPDATE conversation_turns SET content = NULL WHERE id IN (
     SELECT t.id FROM conversation_turns m JOIN conversation_turns t ON t.conversation_id = m.conversation_id AND m.id = ANY (t.context_turn_ids)
     WHERE m.id = ANY ($1::uuid[]) AND t.content IS NOT NULL ORDER BY t.id FOR UPDATE OF t)
   RETURNING id`,
);
/** No turn is added to them before the transaction ends. */
const HOLD_OF_DATASET = statement(
  columnsOf(ConversationEntity, 'id'),
  `SELECT c.id FROM conversations c WHERE EXISTS (
     SELECT 1 FROM conversation_turns t WHERE t.conversation_id = c.id AND t.dataset_ids @> ARRAY[$1::uuid])
   ORDER BY c.id FOR UPDATE`,
);
const FIND_OF_DATASET = statement(
  columnsOf(ConversationTurnEntity, 'id'),
  `SELECT id FROM conversation_turns WHERE dataset_ids @> ARRAY[$1::uuid]`,
);
const REMOVE_OF_DATASET = statement(
  columnsOf(ConversationTurnEntity, 'conversation_id'),
  `DELETE FROM conversation_turns WHERE dataset_ids @> ARRAY[$1::uuid] RETURNING conversation_id`,
);

/** The turns of conversations. Who reads has found the conversation to be the caller's. */
@Injectable()
export class ConversationTurnsRepository extends TenantRepository {
  constructor(
    unitOfWork: UnitOfWork,
    private readonly conversations: ConversationsRepository,
  ) {
    super(unitOfWork);
  }

  /**
   * Adds a turn at the end of the caller's conversation. Of an answer that is made of a document that has been deleted meanwhile, or that was
   * given an answer which is gone meanwhile, only the question is kept. Undefined when the conversation is gone.
   */
  async keep(ctx: RequestContext, conversationId: ConversationId, turn: EndedTurn): Promise<TurnId | undefined> {
    return this.unitOfWork.run(ctx, async (_manager, inner) => {
      const place = await this.conversations.advance(inner, conversationId, titleOf(turn.question));
      return place === undefined ? undefined : this.insert(inner, conversationId, place, turn);
    });
  }

  /** The newest turns before a place, newest first. */
  async listBefore(ctx: RequestContext, id: ConversationId, before: number, limit: number): Promise<TurnRow[]> {
    return this.query(ctx, LIST_BEFORE, [id, before, limit]);
  }

  /** Turns of the tenant; of one that is gone there is none. */
  async find(ctx: RequestContext, ids: readonly TurnId[]): Promise<TurnRow[]> {
    return ids.length === 0 ? [] : this.query(ctx, FIND, [ids]);
  }

  /** Some of the tenant's turns behind an id that are unsure, in the order of their ids; they count as sure until `settle` says otherwise. */
  async takeUnsure(ctx: TransactionContext, after: string, limit: number): Promise<TurnRow[]> {
    const rows = await this.query(ctx, TAKE_UNSURE, [after, limit]);
    return rows.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  }

  /**
   * Of turns that were taken those that are not sure after all: they stay unsure, or their answers are removed, with those that were given
   * them. Answers how many answers are removed.
   */
  async settle(
    ctx: TransactionContext,
    turns: readonly { readonly id: TurnId; readonly isUnsure: boolean }[],
  ): Promise<number> {
    if (turns.length === 0) return 0;
    await this.query(ctx, SETTLE, [turns.map(({ id }) => id), turns.map(({ isUnsure }) => isUnsure)]);
    const changed = turns.filter(({ isUnsure }) => !isUnsure).map(({ id }) => id);
    return changed.length + (await this.query(ctx, FORGET_GIVEN, [changed])).length;
  }

  /** Removes the tenant's turns that asked a dataset, answers that were given theirs, and conversations of which nothing is left. */
  async removeOfDataset(ctx: RequestContext, datasetId: string): Promise<void> {
    await this.unitOfWork.run(ctx, async (_manager, inner) => {
      await this.query(inner, HOLD_OF_DATASET, [datasetId]);
      const asked = await this.query(inner, FIND_OF_DATASET, [datasetId]);
      await this.query(inner, FORGET_GIVEN, [asked.map(({ id }) => id)]);
      const removed = await this.query(inner, REMOVE_OF_DATASET, [datasetId]);
      const ids = [...new Set(removed.map(({ conversation_id: id }) => id))];
      await this.conversations.removeEmptied(inner, ids);
    });
  }

  private async insert(
    ctx: TransactionContext,
    conversationId: ConversationId,
    place: number,
    turn: EndedTurn,
  ): Promise<TurnId> {
    const id = newId<TurnId>();
    const { document_ids: documents } = turn.content;
    const content = (await this.isWhole(ctx, turn)) ? JSON.stringify(turn.content) : null;
    await this.query(ctx, INSERT, [
      id,
      ctx.tenantId,
      conversationId,
      place,
      turn.requestId,
      turn.question,
      turn.model,
      turn.datasetIds,
      turn.contextTurnIds,
      turn.state,
      content,
      turn.askedAt,
    ]);
    if (content !== null && documents.length > 0)
      await this.query(ctx, INSERT_DOCUMENTS, [ctx.tenantId, id, documents]);
    return id;
  }

  /** Whether all that the answer was made of is still there; it is then until the transaction ends. */
  private async isWhole(ctx: TransactionContext, { content, contextTurnIds: given }: EndedTurn): Promise<boolean> {
    const { document_ids: documents } = content;
    if (documents.length + given.length === 0) return true;
    const open = new Set((await this.query(ctx, HOLD, [documents, given])).map(({ id }) => id));
    const answers = given.length === 0 ? [] : await this.query(ctx, HOLD_ANSWERS, [given]);
    return documents.every((id) => open.has(id)) && answers.length === given.length;
  }
}

/** The beginning of a question in one line. */
function titleOf(question: string): string {
  const line = [...question.replace(/\s+/gu, ' ').trim()];
  return line.length <= TITLE_CHARACTERS ? line.join('') : `${line.slice(0, TITLE_CHARACTERS - 1).join('')}…`;
}
