import { Injectable } from '@nestjs/common';
import { isUuid } from '#libs/common';
import { Settings } from '#libs/config';
import { AuditLog, UnitOfWork } from '#libs/database';
import type { RequestContext } from '#libs/tenancy';
import type { AnswerShare, ListSharedAnswersQuery, OwnSharedAnswerPage, SharedAnswer } from './shared-answer.dto.js';
import { ConversationTurnsRepository, type TurnRow } from './conversation-turns.repository.js';
import { toAnswerShare, toOwnSharedAnswer, toSharedAnswer } from './conversation-views.js';
import type { TurnId } from '../turn/conversation.entity.js';
import { conversationErrors } from './conversations.errors.js';
import { ConversationsRepository } from './conversations.repository.js';
import { VisibleAnswers } from './visible-answers.service.js';
import { SharedAnswersRepository, type SharedAnswerRow } from './shared-answers.repository.js';

/** Answers of private conversations that their owners share, each as far as its reader may see it now. */
@Injectable()
export class SharedAnswersService {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly conversations: ConversationsRepository,
    private readonly turns: ConversationTurnsRepository,
    private readonly shares: SharedAnswersRepository,
    private readonly seen: VisibleAnswers,
    private readonly audit: AuditLog,
    private readonly settings: Settings,
  ) {}

  /** The answers that the caller has shared, each with whether it is currently visible. */
  async list(
    ctx: RequestContext,
    { skip, limit, order_by: orderBy }: ListSharedAnswersQuery,
  ): Promise<OwnSharedAnswerPage> {
    const [total, rows] = await this.unitOfWork.run(ctx, async (_manager, inner) => [
      await this.shares.countOwn(inner),
      await this.shares.listOwn(inner, { orderBy, skip, limit }),
    ]);
    const ids = rows.map((row) => row.turn_id);
    const turns = new Map((await this.turns.find(ctx, ids)).map((turn) => [turn.id, turn]));
    // A turn that has gone since has taken its link along.
    const there = rows.flatMap((row) => turns.get(row.turn_id) ?? []);
    const answers = await this.seen.look(ctx, there);
    const seen = new Map(there.map((turn, at) => [turn.id, answers[at]!]));
    const { conversationsKeptDays: keptDays } = this.settings.values;
    const items = rows.flatMap((row) => {
      const answer = seen.get(row.turn_id);
      return answer === undefined ? [] : [toOwnSharedAnswer(row, answer, keptDays)];
    });
    return { items, total, skip, limit };
  }

  /**
   * The link to an answer of the caller's; a second time the one that there is.
   * @throws `conversations.not_found`, `conversations.turn_not_found`, `conversations.answer_withheld`
   */
  async share(ctx: RequestContext, conversationId: string, turnId: string): Promise<AnswerShare> {
    const turn = await this.requireOwn(ctx, conversationId, turnId);
    const [seen] = await this.seen.look(ctx, [turn]);
    if (seen === undefined || seen.answer === null) throw conversationErrors.answer_withheld({});
    return this.unitOfWork.run(ctx, async (_manager, inner) => {
      const shared = await this.shares.share(inner, turn.id);
      if (shared === undefined) throw conversationErrors.turn_not_found({});
      if (shared.isNew) await this.note(inner, 'conversation.answer_shared', shared.row, turn);
      return toAnswerShare(shared.row);
    });
  }

  /**
   * From then on no one reads the answer by the link, which is not made again.
   * @throws `conversations.not_found`, `conversations.turn_not_found`, `conversations.answer_not_shared`
   */
  async revoke(ctx: RequestContext, conversationId: string, turnId: string): Promise<void> {
    const turn = await this.requireOwn(ctx, conversationId, turnId);
    await this.unitOfWork.run(ctx, async (_manager, inner) => {
      const removed = await this.shares.remove(inner, turn.id);
      if (removed === undefined) throw conversationErrors.answer_not_shared({});
      await this.note(inner, 'conversation.answer_unshared', removed, turn);
    });
  }

  /** The same error for an unknown id and for an answer that the caller may not see. @throws `conversations.shared_answer_not_found` */
  async read(ctx: RequestContext, id: string): Promise<SharedAnswer> {
    const found = isUuid(id) ? await this.shares.find(ctx, id) : undefined;
    const [turn] = found === undefined ? [] : await this.turns.find(ctx, [found.turn_id]);
    if (found === undefined || turn === undefined) throw conversationErrors.shared_answer_not_found({});
    const [seen] = await this.seen.look(ctx, [turn]);
    if (seen === undefined || seen.answer === null) throw conversationErrors.shared_answer_not_found({});
    return toSharedAnswer(found, turn, seen.answer);
  }

  private async requireOwn(ctx: RequestContext, conversationId: string, turnId: string): Promise<TurnRow> {
    const conversation = isUuid(conversationId) ? await this.conversations.find(ctx, conversationId) : undefined;
    if (conversation === undefined) throw conversationErrors.not_found({});
    const [turn] = isUuid(turnId) ? await this.turns.find(ctx, [turnId as TurnId]) : [];
    if (turn?.conversation_id !== conversation.id) throw conversationErrors.turn_not_found({});
    return turn;
  }

  private async note(ctx: RequestContext, event: string, { id }: SharedAnswerRow, turn: TurnRow): Promise<void> {
    const details = { conversation_id: turn.conversation_id, turn_id: turn.id };
    await this.audit.append(ctx, { event, subject: `shared_answer:${id}`, details });
  }
}
