import { inTurns, type Steps } from '#libs/common';
import { answerExtractivelySteps, answerPartsSteps, type ExtractiveSource } from '#libs/answering';
import { countTokens } from '#libs/text';
import {
  ChatModel,
  type ChatDelta,
  type ChatModelDescriptor,
  type ChatRequest,
  type ChatSource,
} from '../chat-model.port.js';
import type { ModelCallOptions } from '../model-call.js';

const MAX_OUTPUT_TOKENS = 1_024;

/** White space with the word behind it; a citation marker is a piece of its own, and long runs without spaces are cut. */
const PIECE = /\s*(?:\[\d+\]|(?:(?!\[\d+\])\S){1,24})|\s+$/gu;

/** Nothing of this model is paid for; tokens are counted so that they can be shown. */
const OWN = { isEstimated: true, requests: 1 } as const;

/** Finds the sentences of the sources that answer the question; null when none does. */
export type ExtractAnswer = (
  question: string,
  sources: readonly {
    readonly number: number;
    readonly text: string;
    readonly title: string;
    readonly score: number;
    readonly date: NonNullable<ChatSource['date']> | null;
    readonly likeness?: readonly number[];
  }[],
  options?: { readonly asked?: string; readonly told?: readonly string[] },
) => Steps<{ readonly answer: string } | null>;

/**
 * Answers with sentences of the sources, word for word, each with the marker of its source, or not at all. It invents nothing,
 * translates nothing and joins nothing; the conversation before the question is not read.
 */
export class ExtractiveChatModel extends ChatModel {
  readonly descriptor: ChatModelDescriptor = {
    provider: 'builtin',
    model: 'extractive-v1',
    kind: 'extractive',
    contextTokens: 32_768,
    maxOutputTokens: MAX_OUTPUT_TOKENS,
    readsHistory: false,
  };

  constructor(private readonly extract: ExtractAnswer = answerExtractivelySteps) {
    super();
  }

  private answer({ question, asked, told, parts, sources }: ChatRequest): Steps<{ readonly answer: string } | null> {
    if (parts === undefined) {
      const followed = asked === undefined ? {} : { asked, ...(told === undefined ? {} : { told }) };
      return this.extract(question, sources.map(toExtractive), followed);
    }
    return answerPartsSteps(parts.map((part) => ({ ...part, sources: part.sources.map(toExtractive) })));
  }

  async *stream(request: ChatRequest, options?: ModelCallOptions): AsyncGenerator<ChatDelta> {
    options?.signal?.throwIfAborted();
    const promptTokens = countPrompt(request);
    const turns = { party: options?.caller?.tenantId, signal: options?.signal };
    const extracted = await inTurns(this.answer(request), turns);
    if (extracted === null) {
      yield { kind: 'finish', finishReason: 'refusal', usage: { ...OWN, promptTokens, completionTokens: 0 } };
      return;
    }
    const limit = Math.min(request.maxTokens ?? MAX_OUTPUT_TOKENS, MAX_OUTPUT_TOKENS);
    let written = '';
    for (const [piece] of extracted.answer.matchAll(PIECE)) {
      options?.signal?.throwIfAborted();
      // No character is more than a token: what is short is not counted, again and again.
      if (written.length + piece.length > limit && countTokens(written + piece) > limit) {
        yield {
          kind: 'finish',
          finishReason: 'length',
          usage: { ...OWN, promptTokens, completionTokens: countTokens(written) },
        };
        return;
      }
      written += piece;
      yield { kind: 'text', text: piece };
    }
    yield {
      kind: 'finish',
      finishReason: 'stop',
      usage: { ...OWN, promptTokens, completionTokens: countTokens(written) },
    };
  }
}

function toExtractive({
  number,
  text,
  title,
  headings = [],
  score,
  date = null,
  likeness,
}: ChatSource): ExtractiveSource & { title: string; date: NonNullable<ChatSource['date']> | null } {
  const compared = likeness === undefined ? {} : { likeness };
  return { number, text, title: [title, ...headings].join('\n'), score, date, ...compared };
}

function countPrompt(request: ChatRequest): number {
  const texts = [...request.messages.map(({ content }) => content), ...request.sources.map(({ text }) => text)];
  return texts.reduce((sum, text) => sum + countTokens(text), 0);
}
