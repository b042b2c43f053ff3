import { Injectable } from '@nestjs/common';
import type { ChatMessage } from '#libs/ai';
import { isUuid } from '#libs/common';
import type { RequestContext } from '#libs/tenancy';
import type { ConversationId, TurnId } from '../turn/conversation.entity.js';
import { ConversationTurnsRepository } from './conversation-turns.repository.js';
import { conversationErrors } from './conversations.errors.js';
import { ConversationsRepository } from './conversations.repository.js';
import { VisibleAnswers } from './visible-answers.service.js';

/** Most turns of a conversation. */
export const MAX_TURNS = 500;
/** Turns that a follow-up question is understood with. */
const TURNS_READ = 20;
/** Above the place of every turn. */
export const BEHIND_ALL = 2_147_483_647;

/** A conversation that a question continues. */
export interface OpenConversation {
  readonly id: ConversationId;
  /** The earlier messages, oldest first. */
  readonly messages: readonly ChatMessage[];
  /** The turns whose answers are among the messages, and those whose answers these were given. */
  readonly turnIds: readonly TurnId[];
}

/** The earlier turns of conversations, for follow-up questions. */
@Injectable()
export class ConversationHistory {
  constructor(
    private readonly conversations: ConversationsRepository,
    private readonly turns: ConversationTurnsRepository,
    private readonly seen: VisibleAnswers,
  ) {}

  /**
   * The newest turns as the caller may see them now; of a withheld answer only the question remains.
   * @throws `conversations.not_found`, `conversations.full`
   */
  async open(ctx: RequestContext, id: string): Promise<OpenConversation> {
    const conversation = isUuid(id) ? await this.conversations.find(ctx, id) : undefined;
    if (conversation === undefined) throw conversationErrors.not_found({});
    if (conversation.last_place >= MAX_TURNS) throw conversationErrors.full({ limit: MAX_TURNS });
    const turns = (await this.turns.listBefore(ctx, conversation.id, BEHIND_ALL, TURNS_READ)).reverse();
    const answers = await this.seen.look(ctx, turns);
    const said = turns.map((turn, index) => ({ ...turn, text: answers[index]?.answer?.text ?? '' }));
    const messages = said.flatMap(({ question, text }): ChatMessage[] => {
      const asked: ChatMessage = { role: 'user', content: question };
      return isSaid(text) ? [asked, { role: 'assistant', content: text }] : [asked];
    });
    const turnIds = said.flatMap(({ id: own, context_turn_ids: ids, text }) => (isSaid(text) ? [...ids, own] : []));
    return { id: conversation.id, messages, turnIds: [...new Set(turnIds)] };
  }
}

function isSaid(text: string): boolean {
  return text.trim() !== '';
}
