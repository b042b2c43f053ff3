import { Injectable } from '@nestjs/common';
import { aiErrors, ChatModel, type ChatFinish, type ChatRequest, type ChatUsage } from '#libs/ai';
import type { RequestContext } from '#libs/tenancy';
import { countTokens, measureGrounding, resolveCitations, type CitationSource } from '#libs/text';
import type { ChatTurn } from './chat-turn.js';
import { CitationVerifier } from './citation-verifier.js';
import type { ChatCitation, ChatGrounding, FinishReason } from './dto/chat-completion.dto.js';
import { MarkerFilter } from './marker-filter.js';
import { refusalFor, type Refusal, type RefusalCode } from './refusals.js';
import { StopSequences } from './stop-sequences.js';

/** All of an answer but its text. */
export interface AnswerFacts {
  readonly finishReason: FinishReason;
  readonly usage: ChatUsage;
  readonly citations: readonly ChatCitation[];
  /** null when it was not measured. */
  readonly grounding: ChatGrounding | null;
  readonly refusal: Refusal | null;
  /** Markers of the model that named no source. */
  readonly removedMarkers: number;
}

/** Pieces of the text, which is their concatenation, then once the facts about it. */
export type AnswerEvent =
  | { readonly kind: 'text'; readonly text: string; readonly isRefusal: boolean }
  | { readonly kind: 'facts'; readonly facts: AnswerFacts };

/** What the model wrote, once it is complete. */
interface Written {
  /** As the model wrote it. */
  readonly raw: string;
  /** What has been given out already. */
  readonly shown: string;
  readonly finish: ChatFinish;
  /** Whether one of the turn's stop texts has ended it. */
  readonly stopped: boolean;
}

const NO_USAGE: ChatUsage = { promptTokens: 0, completionTokens: 0 };

/** Lets the model answer a turn. JSON and stream are made of the same events, so that they say the same. */
@Injectable()
export class AnswerWriter {
  constructor(
    private readonly model: ChatModel,
    private readonly citations: CitationVerifier,
  ) {}

  /**
   * The answer as it comes; with strict grounding only after all of it was checked. Markers that name no source never show.
   * @throws what the model throws; the signal's reason after an abort.
   */
  async *write(ctx: RequestContext, turn: ChatTurn, signal: AbortSignal): AsyncGenerator<AnswerEvent> {
    if (turn.next.kind === 'refuse') {
      yield* refuse(turn, turn.next.code, NO_USAGE, 0);
      return;
    }
    const written = yield* this.ask(turn, turn.next.request, signal);
    const sources = turn.sources.map(({ number, text, char_start }): CitationSource => ({
      number,
      text,
      start: char_start,
    }));
    const cited = resolveCitations(written.raw, sources);
    const { finishReason, usage } = written.finish;
    const isEmpty = cited.answer.trim() === '';
    if (finishReason === 'refusal' || (isEmpty && finishReason !== 'length' && !written.stopped)) {
      yield* refuse(turn, 'NOT_ANSWERED', usage, cited.removedMarkers);
      return;
    }
    const grounding = turn.grounding === 'off' ? null : ground(cited.answer, sources, turn.answered);
    if (turn.grounding === 'strict' && !isEmpty && grounding?.status !== 'supported') {
      yield* refuse(turn, 'UNGROUNDED', usage, cited.removedMarkers);
      return;
    }
    const rest = cited.answer.slice(written.shown.length);
    if (rest !== '') yield { kind: 'text', text: rest, isRefusal: false };
    signal.throwIfAborted();
    const citations = await this.citations.verify(ctx, cited.citations, turn.sources);
    const facts = { finishReason, usage, citations, grounding, refusal: null, removedMarkers: cited.removedMarkers };
    yield { kind: 'facts', facts };
  }

  private async *ask(turn: ChatTurn, request: ChatRequest, signal: AbortSignal): AsyncGenerator<AnswerEvent, Written> {
    const filter = new MarkerFilter(turn.sources.map(({ number }) => number));
    const stops = new StopSequences(turn.stop);
    const showsAtOnce = turn.grounding !== 'strict';
    let [raw, ready, shown] = ['', '', ''];
    for await (const delta of this.model.stream(request, { signal })) {
      signal.throwIfAborted();
      if (delta.kind === 'finish') return { raw: raw + stops.flush(), shown, finish: delta, stopped: false };
      const { text, stopped } = stops.push(delta.text);
      raw += text;
      if (stopped) return { raw, shown, finish: finishOf(request, raw), stopped };
      if (showsAtOnce) ready += filter.push(text);
      // White space alone is no answer yet: what follows may be a refusal.
      if (ready === '' || (shown === '' && ready.trim() === '')) continue;
      shown += ready;
      yield { kind: 'text', text: ready, isRefusal: false };
      ready = '';
    }
    const { provider, model } = this.model.descriptor;
    throw aiErrors.provider_unavailable({ provider, model });
  }
}

/** How a model finishes that was stopped: it did not tell its usage any more. */
function finishOf({ messages, sources }: ChatRequest, written: string): ChatFinish {
  const read = [...messages.map(({ content }) => content), ...sources.map(({ text }) => text)];
  const promptTokens = read.reduce((sum, text) => sum + countTokens(text), 0);
  return { kind: 'finish', finishReason: 'stop', usage: { promptTokens, completionTokens: countTokens(written) } };
}

function ground(answer: string, sources: readonly CitationSource[], answered: number): ChatGrounding {
  const { status, score, unsupportedSpans } = measureGrounding(answer, sources);
  const unsupported_spans = unsupportedSpans.map(({ start, end }) => ({ start, end, text: answer.slice(start, end) }));
  return { status, score, answered, unsupported_spans };
}

function* refuse(turn: ChatTurn, code: RefusalCode, usage: ChatUsage, removedMarkers: number): Generator<AnswerEvent> {
  const refusal = refusalFor(code, turn.asked);
  yield { kind: 'text', text: refusal.message, isRefusal: true };
  // What the model or the check of its sentences refused answers nothing, whatever was found.
  const answered = turn.next.kind === 'refuse' ? turn.answered : 0;
  const grounding: ChatGrounding = { status: 'refused', score: 0, answered, unsupported_spans: [] };
  yield { kind: 'facts', facts: { finishReason: 'stop', usage, citations: [], grounding, refusal, removedMarkers } };
}
