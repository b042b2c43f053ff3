import { Injectable } from '@nestjs/common';
import { isUuid } from '#libs/common';
import { Settings } from '#libs/config';
import { UnitOfWork } from '#libs/database';
import { validationFailed } from '#libs/http';
import type { RequestContext } from '#libs/tenancy';
import type {
  Conversation,
  ConversationPage,
  ConversationWithTurns,
  CreateConversationRequest,
  ListConversationsQuery,
  ReadConversationQuery,
} from './conversation.dto.js';
import { QuestionOutcomesRepository } from '../questions/question-outcomes.repository.js';
import { cursorAt, placeOf } from './conversation-cursor.js';
import { BEHIND_ALL } from './conversation-history.service.js';
import { ConversationTurnsRepository } from './conversation-turns.repository.js';
import { toConversation, toConversationTurn } from './conversation-views.js';
import { conversationErrors } from './conversations.errors.js';
import { ConversationsRepository, type ConversationPlace, type ConversationRow } from './conversations.repository.js';
import { VisibleAnswers } from './visible-answers.service.js';
import { SharedAnswersRepository } from './shared-answers.repository.js';

/** Most conversations of one account or API key. */
export const MAX_CONVERSATIONS = 5_000;

/** Conversations for their owner; no other caller finds them. */
@Injectable()
export class ConversationsService {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly conversations: ConversationsRepository,
    private readonly turns: ConversationTurnsRepository,
    private readonly seen: VisibleAnswers,
    private readonly shares: SharedAnswersRepository,
    private readonly questions: QuestionOutcomesRepository,
    private readonly settings: Settings,
  ) {}

  /** @throws `conversations.too_many` */
  async create(ctx: RequestContext, { title }: CreateConversationRequest): Promise<Conversation> {
    return this.unitOfWork.run(ctx, async (_manager, inner) => {
      if ((await this.conversations.count(inner)) >= MAX_CONVERSATIONS)
        throw conversationErrors.too_many({ limit: MAX_CONVERSATIONS });
      return this.show(await this.require(inner, await this.conversations.insert(inner, title ?? null)));
    });
  }

  async list(ctx: RequestContext, query: ListConversationsQuery): Promise<ConversationPage> {
    const { skip, limit, order_by: orderBy } = query;
    const after = startOf(query);
    const page = { orderBy, skip, limit, ...(after === undefined ? {} : { after }) };
    return this.unitOfWork.run(ctx, async (_manager, inner) => {
      const total = await this.conversations.count(inner);
      const rows = await this.conversations.list(inner, page);
      const shown = rows.slice(0, limit);
      const next = rows.length > limit ? cursorAt(orderBy, shown.at(-1)!) : null;
      return { items: shown.map((row) => this.show(row)), total, skip, limit, next };
    });
  }

  /** With its newest turns, or those before a place. @throws `conversations.not_found` */
  async read(ctx: RequestContext, id: string, query: ReadConversationQuery): Promise<ConversationWithTurns> {
    const { before = BEHIND_ALL, limit } = query;
    const row = await this.require(ctx, id);
    const found = await this.turns.listBefore(ctx, row.id, before, limit + 1);
    const turns = found.slice(0, limit).reverse();
    const answers = await this.seen.look(ctx, turns);
    const feedback = await this.questions.findFeedback(
      ctx,
      turns.map(({ request_id: requestId }) => requestId),
    );
    const shares = await this.shares.findOfTurns(
      ctx,
      turns.map((turn) => turn.id),
    );
    return {
      ...this.show(row),
      turns: turns.map((turn, index) => {
        const notes = { feedback: feedback.get(turn.request_id), share: shares.get(turn.id) };
        return toConversationTurn(turn, answers[index]!, notes);
      }),
      previous: found.length > limit ? turns[0]!.place : null,
    };
  }

  /** @throws `conversations.not_found` */
  async rename(ctx: RequestContext, id: string, title: string): Promise<Conversation> {
    return this.unitOfWork.run(ctx, async (_manager, inner) => {
      const { id: found } = await this.require(inner, id);
      await this.conversations.rename(inner, found, title);
      return this.show(await this.require(inner, found));
    });
  }

  /** With its turns. @throws `conversations.not_found` */
  async remove(ctx: RequestContext, id: string): Promise<void> {
    const isRemoved = isUuid(id) && (await this.conversations.remove(ctx, id));
    if (!isRemoved) throw conversationErrors.not_found({});
  }

  private async require(ctx: RequestContext, id: string): Promise<ConversationRow> {
    const row = isUuid(id) ? await this.conversations.find(ctx, id) : undefined;
    if (row === undefined) throw conversationErrors.not_found({});
    return row;
  }

  private show(row: ConversationRow): Conversation {
    return toConversation(row, this.settings.values.conversationsKeptDays);
  }
}

function startOf({ after, skip, order_by }: ListConversationsQuery): ConversationPlace | undefined {
  if (after === undefined) return undefined;
  if (skip > 0) {
    const detail = 'cannot be combined with skip, since it already gives the place where the page begins';
    throw validationFailed([{ pointer: '/after', code: 'conflict', detail }]);
  }
  const place = placeOf(after, order_by);
  if (place !== undefined) return place;
  const detail = `must be the unchanged value of next of a page with order_by=${order_by}`;
  throw validationFailed([{ pointer: '/after', code: 'is_cursor', detail }]);
}
