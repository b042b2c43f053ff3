import {
  ChatModel,
  type ChatDelta,
  type ChatModelDescriptor,
  type ChatRequest,
  type ChatSource,
  type ModelCallOptions,
} from 'knowledge-base-service/extension';

const MOST_OUTPUT_TOKENS = 500;
const MOST_SENTENCES = 3;

/** Quotes from the sources, always the same for the same request. The conversation before the question is not read. */
export class AcmeModel extends ChatModel {
  readonly descriptor: ChatModelDescriptor = {
    provider: 'acme',
    model: 'quotes-1',
    kind: 'extractive',
    contextTokens: 16_000,
    maxOutputTokens: MOST_OUTPUT_TOKENS,
    readsHistory: false,
  };

  async *stream(request: ChatRequest, options?: ModelCallOptions): AsyncGenerator<ChatDelta> {
    options?.signal?.throwIfAborted();
    const promptTokens = [request.question, ...request.sources.map(({ text }) => text)].reduce((sum, text) => sum + words(text).length, 0);
    const pieces = quote(request).flatMap((text, i) => (i === 0 ? [] : [' ']).concat(text.split(/(?<=\s)/u)));
    if (pieces.length === 0) {
      yield { kind: 'finish', finishReason: 'refusal', usage: { promptTokens, completionTokens: 0 } };
      return;
    }
    const limit = Math.min(request.maxTokens ?? MOST_OUTPUT_TOKENS, MOST_OUTPUT_TOKENS);
    let completionTokens = 0;
    for (const text of pieces) {
      await Promise.resolve();
      options?.signal?.throwIfAborted();
      if (text !== ' ' && completionTokens === limit) {
        yield { kind: 'finish', finishReason: 'length', usage: { promptTokens, completionTokens } };
        return;
      }
      if (text !== ' ') completionTokens += 1;
      yield { kind: 'text', text };
    }
    yield { kind: 'finish', finishReason: 'stop', usage: { promptTokens, completionTokens } };
  }
}

/** The best sentences of different sources, best first, each with the marker of its source. */
function quote({ question, sources }: ChatRequest): string[] {
  const asked = new Set(words(question).filter((word) => word.length > 3));
  return sources
    .map((source) => bestSentence(source, asked))
    .filter(({ shared }) => shared > 0)
    .sort((a, b) => b.shared - a.shared || a.number - b.number)
    .slice(0, MOST_SENTENCES)
    .map(({ sentence, number }) => `${sentence} [${number}]`);
}

function bestSentence({ number, text }: ChatSource, asked: ReadonlySet<string>) {
  let best = { number, sentence: '', shared: 0 };
  for (const part of text.split(/(?<=[.!?])\s+|\n+/u)) {
    const sentence = part.trim().replace(/\s+/gu, ' ');
    const shared = new Set(words(sentence).filter((word) => asked.has(word))).size;
    if (shared > best.shared) best = { number, sentence, shared };
  }
  return best;
}

function words(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}
