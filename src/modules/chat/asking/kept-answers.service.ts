import { Injectable } from '@nestjs/common';
import { GrowingText } from '#libs/common';
import type { RequestContext } from '#libs/tenancy';
import { PinoLogger } from 'nestjs-pino';
import type { AnswerEvent, AnswerFacts } from '../turn/answer-event.js';
import { AnswerWriter } from '../writing/answer-writer.service.js';
import type { ChatTurn } from '../turn/chat-turn.js';
import { ConversationTurnsRepository } from '../conversations/conversation-turns.repository.js';
import type { TurnId } from '../turn/conversation.entity.js';
import { completeTurn, cutTurn, type EndedTurn } from '../conversations/ended-turn.js';
import { QuestionOutcomesRepository } from '../questions/question-outcomes.repository.js';

/**
 * Stores answers when they end, completely or not: the turn in its conversation, if the request names one, and the question if it was refused.
 * They are stored before the end of the answer is sent, so that a reader of the end finds them. A failure to store is logged and shown in the
 * answer; the answer does not fail.
 */
@Injectable()
export class KeptAnswers {
  constructor(
    private readonly writer: AnswerWriter,
    private readonly turns: ConversationTurnsRepository,
    private readonly questions: QuestionOutcomesRepository,
    private readonly logger: PinoLogger,
  ) {}

  /** As `AnswerWriter.write`. */
  async *write(ctx: RequestContext, turn: ChatTurn, signal: AbortSignal): AsyncGenerator<AnswerEvent> {
    const text = new GrowingText();
    try {
      for await (const event of this.writer.write(ctx, turn, signal)) {
        if (event.kind === 'text') text.push(event.text);
        yield event.kind === 'facts' ? await this.keepWhole(ctx, turn, text.toString(), event.facts) : event;
      }
    } catch (thrown) {
      if (text.length > 0) {
        const state = signal.aborted ? 'stopped' : 'failed';
        await this.keep(ctx, turn, () => cutTurn(turn, text.toString(), state));
      }
      throw thrown;
    }
  }

  private async keepWhole(ctx: RequestContext, turn: ChatTurn, text: string, facts: AnswerFacts): Promise<AnswerEvent> {
    const isAsked = turn.purpose === 'chat' && ctx.principal.kind !== 'system';
    if (facts.refusal !== null && isAsked) await this.noteRefusal(ctx, turn, facts.refusal.code);
    const kept = await this.keep(ctx, turn, () => completeTurn(turn, text, facts));
    return { kind: 'facts', facts: kept === undefined ? facts : { ...facts, kept } };
  }

  /** Undefined where the request names no conversation. */
  private async keep(ctx: RequestContext, turn: ChatTurn, ended: () => EndedTurn): Promise<AnswerFacts['kept']> {
    const { conversationId: id } = turn;
    if (id === null) return undefined;
    let turnId: TurnId | undefined;
    try {
      turnId = await this.turns.keep(ctx, id, ended());
    } catch (error) {
      this.logger.error({ err: error, requestId: turn.requestId }, 'chat.turn_not_kept');
    }
    return { id, turn_id: turnId ?? null };
  }

  private async noteRefusal(
    ctx: RequestContext,
    { requestId, datasetIds, retrieval, conversationId }: ChatTurn,
    refusalCode: NonNullable<AnswerFacts['refusal']>['code'],
  ): Promise<void> {
    try {
      const asked = { requestId, question: retrieval.query, datasetIds };
      await this.questions.addRefusal(ctx, { ...asked, conversationId, refusalCode });
    } catch (error) {
      this.logger.error({ err: error, requestId }, 'chat.refusal_not_noted');
    }
  }
}
