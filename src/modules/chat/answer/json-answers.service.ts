import { Injectable } from '@nestjs/common';
import type { ChatDelta, ChatFinish, ModelCallOptions } from '#libs/ai';
import type { JsonValue } from '#libs/common';
import { JsonScanner } from '#libs/http';
import type { RequestContext } from '#libs/tenancy';
import { resolveCitations, stripMarkers, type AnswerCitation } from '#libs/answering';
import type { AnswerEvent } from '../turn/answer-event.js';
import type { ChatTurn } from '../turn/chat-turn.js';
import { chatErrors } from '../chat.errors.js';
import { CitationVerifier } from './citation-verifier.service.js';
import { groundingOf } from './grounding-report.js';
import { cleanJson, writeJson, type JsonLeaf } from './json-leaves.js';
import { RefusalWriter } from './refused-answer.service.js';
import { StrictRelease } from './strict-release.js';
import { SupportMeasure } from './support-measure.service.js';
import { toCitationSource } from '../turn/turn-evidence.js';

/** More values than these get no citation. */
const MAX_CITED = 200;
/** What is nested deeper is no answer, and those who read it with a call for each level would run out of stack. */
const MAX_DEPTH = 100;

/**
 * Answers in JSON. They are sent when they are complete, since only then it is known that they are JSON and what their values rest on. Values
 * contain no markers; the citations beside them locate the cited values. Values are data and may contain any markup, so a client must show them
 * as plain text.
 */
@Injectable()
export class JsonAnswers {
  constructor(
    private readonly citations: CitationVerifier,
    private readonly measure: SupportMeasure,
    private readonly refusals: RefusalWriter,
  ) {}

  /** @throws `chat.answer_not_json`, and what the model throws. */
  async *write(
    ctx: RequestContext,
    turn: ChatTurn,
    deltas: AsyncIterable<ChatDelta>,
    options: ModelCallOptions,
  ): AsyncGenerator<AnswerEvent> {
    let [raw, hasBegun] = ['', false];
    let finish: ChatFinish | undefined;
    for await (const delta of deltas) {
      if (!hasBegun) yield { kind: 'begun' };
      hasBegun = true;
      if (delta.kind === 'finish') finish = delta;
      else raw += delta.text;
    }
    const { finishReason, usage } = finish!;
    if (finishReason === 'refusal') {
      yield* this.refusals.refuse(turn, 'NOT_ANSWERED', { usage });
      return;
    }
    const value = parse(raw);
    // One that was cut is no JSON: its client asked for fewer tokens than it takes, and is told so by `finish_reason`.
    if (value === undefined && finishReason === 'stop') throw chatErrors.answer_not_json({}, { retryAfter: 5 });
    const { content, leaves } =
      value === undefined ? { content: stripMarkers(raw), leaves: [] } : writeJson(cleanJson(value, stripMarkers));
    const isHeldBack = turn.grounding === 'strict' && !(await this.isSupported(turn, value, leaves, options));
    if (isHeldBack) {
      yield* this.refusals.refuse(turn, 'UNGROUNDED', { usage });
      return;
    }
    yield { kind: 'text', text: content, isRefusal: false };
    const plain = leaves.map(({ text }) => text).join('\n\n');
    const measured = await groundingOf(turn, plain, 0, this.measure, options);
    const grounding =
      measured === null ? null : { ...measured, unsupported_spans: spansOf(leaves, measured.unsupported_spans) };
    const citations = await this.citations.verify(ctx, cite(leaves, turn), turn.sources);
    const removed = { removedMarkers: 0, removedLinks: 0 };
    yield { kind: 'facts', facts: { finishReason, usage, citations, grounding, refusal: null, ...removed } };
  }

  /** A value cannot be left out of an object whose form is given: one that no source supports holds back the whole answer. */
  private async isSupported(
    turn: ChatTurn,
    value: JsonValue | undefined,
    leaves: readonly JsonLeaf[],
    options: ModelCallOptions,
  ): Promise<boolean> {
    if (value === undefined) return false;
    const strict = new StrictRelease(this.measure, turn);
    for (const { text, key } of leaves) {
      if (!(await strict.supportsValue(key, text, options))) return false;
    }
    return true;
  }
}

function parse(raw: string): JsonValue | undefined {
  // Some models put JSON into a code block in spite of what they were told.
  const text = raw.trim().replace(/^```(?:json)?\s*\n([^]*?)\n?```$/, '$1');
  if (new JsonScanner({ values: Infinity, depth: MAX_DEPTH }).scan(Buffer.from(text)) !== undefined) return undefined;
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}

/** For each value the source that supports it best, where one says at least half of it. */
function cite(leaves: readonly JsonLeaf[], turn: ChatTurn): AnswerCitation[] {
  const sources = turn.sources.map(toCitationSource);
  return leaves.slice(0, MAX_CITED).flatMap(({ text, start, end }) => {
    const found = sources.flatMap((source) => resolveCitations(`${text} [${source.number}]`, [source]).citations);
    const [best] = found.toSorted((a, b) => b.supportScore - a.supportScore);
    if (best === undefined || best.supportScore < 0.5) return [];
    return [{ ...best, answerStart: start, answerEnd: end }];
  });
}

/** Spans of the joined values, as spans of the JSON text. */
function spansOf(
  leaves: readonly JsonLeaf[],
  spans: readonly { start: number; end: number; text: string }[],
): { start: number; end: number; text: string }[] {
  let at = 0;
  const placed = leaves.map((leaf) => {
    const from = at;
    at += leaf.text.length + 2;
    return { leaf, from, to: from + leaf.text.length };
  });
  return spans.flatMap(({ start, end }) =>
    placed
      .filter(({ from, to }) => from < end && to > start)
      .map(({ leaf }) => ({ start: leaf.start, end: leaf.end, text: leaf.text })),
  );
}
