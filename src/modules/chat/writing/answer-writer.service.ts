import { Injectable } from '@nestjs/common';
import { aiErrors, type ChatDelta, type ChatFinish, type ChatRequest, type ModelCallOptions } from '#libs/ai';
import { Settings } from '#libs/config';
import type { RequestContext } from '#libs/tenancy';
import { AnswerMarkup } from '../markup/answer-markup.js';
import { citeMarkers } from '#libs/answering';
import { countTokens } from '#libs/text';
import type { AnswerEvent } from '../turn/answer-event.js';
import { AnswerText } from '../answer/answer-text.js';
import type { ChatTurn } from '../turn/chat-turn.js';
import { chatErrors } from '../chat.errors.js';
import { CitationVerifier } from '../answer/citation-verifier.service.js';
import { withFirstWithin } from '../answer/first-token.js';
import { groundingOf } from '../answer/grounding-report.js';
import { JsonAnswers } from '../answer/json-answers.service.js';
import { RefusalWriter } from '../answer/refused-answer.service.js';
import { SupportMeasure } from '../answer/support-measure.service.js';
import { FixedAnswers } from './fixed-answers.service.js';
import { toCitationSource } from '../turn/turn-evidence.js';

/** Has the model answer a turn. JSON and stream are made from the same events, so that they have the same content. */
@Injectable()
export class AnswerWriter {
  private readonly firstTokenSeconds: number;

  constructor(
    private readonly citations: CitationVerifier,
    private readonly measure: SupportMeasure,
    private readonly json: JsonAnswers,
    private readonly markup: AnswerMarkup,
    private readonly refusals: RefusalWriter,
    private readonly told: FixedAnswers,
    settings: Settings,
  ) {
    this.firstTokenSeconds = settings.values.chatFirstTokenSeconds;
  }

  /**
   * Streams the answer, each block when it is complete; with strict grounding only supported parts. It never contains markers that name no
   * source, images, HTML or links that the installation does not allow.
   * @throws `chat.first_token_late`, what the model throws; the signal's reason after an abort.
   */
  async *write(ctx: RequestContext, turn: ChatTurn, signal: AbortSignal): AsyncGenerator<AnswerEvent> {
    if (turn.next.kind !== 'ask') {
      yield* this.told.write(ctx, turn, turn.next);
      return;
    }
    const { request } = turn.next;
    const options = callOptionsOf(ctx, turn, signal);
    if (request.responseFormat !== undefined) {
      yield* this.json.write(ctx, turn, this.ask(turn, request, options), options);
      return;
    }
    yield* this.writeText(ctx, turn, request, options);
  }

  private async *writeText(
    ctx: RequestContext,
    turn: ChatTurn,
    request: ChatRequest,
    options: ModelCallOptions & { readonly signal: AbortSignal },
  ): AsyncGenerator<AnswerEvent> {
    const text = new AnswerText(turn, this.measure, this.markup);
    const finish = yield* this.read(turn, text, request, options);
    const { withheld, delivered, removed } = text;
    const isEmpty = delivered.trim() === '';
    const { usage, finishReason } = finish;
    const saysNothing = isEmpty && finishReason !== 'length' && text.ended === null;
    if (finishReason === 'refusal' || (saysNothing && withheld === 0)) {
      yield* this.refusals.refuse(turn, 'NOT_ANSWERED', { usage, ...removed });
      return;
    }
    if (withheld > 0 && !text.hasReleased) {
      yield* this.refusals.refuse(turn, 'UNGROUNDED', { usage, ...removed, withheld });
      return;
    }
    options.signal.throwIfAborted();
    const grounding = await groundingOf(turn, delivered, withheld, this.measure, options);
    const cited = citeMarkers(delivered, text.markers, turn.sources.map(toCitationSource));
    const citations = await this.citations.verify(ctx, cited, turn.sources);
    yield { kind: 'facts', facts: { finishReason, usage, citations, grounding, refusal: null, ...removed } };
  }

  /** Gives out the text as it comes, and how the model finished. */
  private async *read(
    turn: ChatTurn,
    text: AnswerText,
    request: ChatRequest,
    options: ModelCallOptions,
  ): AsyncGenerator<AnswerEvent, ChatFinish> {
    let [ready, hasShown, hasBegun] = ['', false, false];
    let finish: ChatFinish | undefined;
    for await (const delta of this.ask(turn, request, options)) {
      if (!hasBegun) yield { kind: 'begun' };
      hasBegun = true;
      if (delta.kind === 'finish') finish = delta;
      else ready += await text.push(delta.text, options);
      if (finish !== undefined || text.ended !== null) break;
      // White space alone is no answer yet: what follows may be a refusal.
      if (ready === '' || (!hasShown && ready.trim() === '')) continue;
      yield { kind: 'text', text: ready, isRefusal: false };
      [ready, hasShown] = ['', true];
    }
    ready += await text.flush(options);
    if (ready !== '' && (hasShown || ready.trim() !== '') && finish?.finishReason !== 'refusal')
      yield { kind: 'text', text: ready, isRefusal: false };
    return finish ?? finishOf(request, text.written, text.ended ?? 'stop');
  }

  private async *ask(
    { chatModel }: ChatTurn,
    request: ChatRequest,
    options: ModelCallOptions,
  ): AsyncGenerator<ChatDelta> {
    const seconds = this.firstTokenSeconds;
    const deltas = withFirstWithin((signal) => chatModel.stream(request, { ...options, signal }), {
      signal: options.signal!,
      ms: seconds * 1_000,
      late: () => chatErrors.first_token_late({ seconds }, { retryAfter: seconds }),
    });
    for await (const delta of deltas) {
      options.signal?.throwIfAborted();
      yield delta;
      if (delta.kind === 'finish') return;
    }
    const { provider, model } = chatModel.descriptor;
    throw aiErrors.provider_unavailable({ provider, model });
  }
}

function callOptionsOf(
  { tenantId }: RequestContext,
  { datasetIds, purpose }: ChatTurn,
  signal: AbortSignal,
): ModelCallOptions & { readonly signal: AbortSignal } {
  return { signal, caller: { tenantId, datasetIds, purpose } };
}

/** How a model finishes that was stopped: it did not tell its usage any more. */
function finishOf({ messages, sources }: ChatRequest, written: string, finishReason: 'stop' | 'length'): ChatFinish {
  const read = [...messages.map(({ content }) => content), ...sources.map(({ text }) => text)];
  const promptTokens = read.reduce((sum, text) => sum + countTokens(text), 0);
  return { kind: 'finish', finishReason, usage: { promptTokens, completionTokens: countTokens(written) } };
}
