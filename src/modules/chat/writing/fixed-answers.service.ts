import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#libs/tenancy';
import type { AnswerEvent } from '../turn/answer-event.js';
import type { ChatTurn } from '../turn/chat-turn.js';
import { RefusalWriter } from '../answer/refused-answer.service.js';
import { TableAnswerWriter } from '../tables/table-answer-writer.service.js';
import { TalkWriter } from '../talk/talk-writer.service.js';

/** Decisions for which no model is called. */
type Told = Exclude<ChatTurn['next'], { readonly kind: 'ask' }>;

/** Writes the answers that need no model: refusals, answers of tables, and answers to messages that are not questions. */
@Injectable()
export class FixedAnswers {
  constructor(
    private readonly refusals: RefusalWriter,
    private readonly tables: TableAnswerWriter,
    private readonly talks: TalkWriter,
  ) {}

  async *write(ctx: RequestContext, turn: ChatTurn, next: Told): AsyncGenerator<AnswerEvent> {
    if (next.kind === 'table') yield* this.tables.write(ctx, turn, next);
    else if (next.kind === 'talk') yield* this.talks.write(ctx, turn, next);
    else {
      yield { kind: 'begun' };
      yield* this.refusals.refuse(turn, next.code);
    }
  }
}
