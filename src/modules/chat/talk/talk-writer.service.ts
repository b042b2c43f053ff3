import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#libs/tenancy';
import type { AnswerEvent } from '../turn/answer-event.js';
import type { ChatTurn, TalkAnswer } from '../turn/chat-turn.js';
import { CitationVerifier } from '../answer/citation-verifier.service.js';
import { cutAnswer, piecesOf } from '../answer/cut-answer.js';
import type { ChatGrounding } from '../turn/chat-completion.dto.js';
import { RefusalWriter } from '../answer/refused-answer.service.js';
import { SupportMeasure } from '../answer/support-measure.service.js';

const NO_USAGE = { promptTokens: 0, completionTokens: 0 };

/** Writes the answer to a message that is not a question. No model is called. */
@Injectable()
export class TalkWriter {
  constructor(
    private readonly citations: CitationVerifier,
    private readonly support: SupportMeasure,
    private readonly refusals: RefusalWriter,
  ) {}

  /** What is quoted of a document is read again where it is; if it is not there any more, the question is refused. */
  async *write(
    ctx: RequestContext,
    turn: ChatTurn,
    { answer, maxTokens }: { readonly answer: TalkAnswer; readonly maxTokens: number | undefined },
  ): AsyncGenerator<AnswerEvent> {
    const citations = await this.citations.verify(ctx, answer.citations, turn.sources);
    yield { kind: 'begun' };
    if (citations.some(({ verified }) => !verified)) {
      yield* this.refusals.refuse(turn, 'UNGROUNDED');
      return;
    }
    const { content, finishReason } = cutAnswer(answer.content, turn.stop, maxTokens);
    const kept = citations.filter(({ answer_end: end, marker }) => content.indexOf(marker, end) >= 0);
    for (const text of piecesOf(content)) yield { kind: 'text', text, isRefusal: false };
    const grounding = this.groundingOf(turn, answer.citations.length > 0);
    const shown = { finishReason, usage: NO_USAGE, citations: kept, grounding, refusal: null };
    yield { kind: 'facts', facts: { ...shown, removedMarkers: 0, removedLinks: 0 } };
  }

  /** What is quoted word for word is supported; of what says nothing of the documents there is nothing to measure. */
  private groundingOf({ grounding }: ChatTurn, isQuoted: boolean): ChatGrounding | null {
    if (grounding === 'off') return null;
    const { method, threshold } = this.support;
    const status = isQuoted ? 'supported' : 'not_applicable';
    const share = isQuoted ? 1 : 0;
    return { status, score: share, answered: share, unsupported_spans: [], withheld: 0, method, threshold };
  }
}
