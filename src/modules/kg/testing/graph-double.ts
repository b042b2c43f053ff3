import { ChatModel, ModelFailure, type ChatDelta, type ChatModelDescriptor, type ChatRequest } from '#libs/ai';
import {
  asksForGraph,
  graphAsDouble,
  type GraphVariant,
} from '../../../../libs/ai/src/testing/doubles/graph-answers.js';

const PASSAGE = /<passage-([0-9a-f]+)>\n([\s\S]*?)\n<\/passage-\1>/;

/** A chat model of the test's own process: reads passages by plain rules, or fails as it is told; remembers what it was shown. */
export class GraphDouble extends ChatModel {
  readonly descriptor: ChatModelDescriptor = {
    provider: 'double',
    model: 'reader',
    kind: 'generative',
    contextTokens: 16_000,
    maxOutputTokens: 4_000,
    readsHistory: true,
    supports: { jsonObject: true, jsonSchema: true, seed: true },
  };
  readonly requests: ChatRequest[] = [];
  readonly purposes: (string | undefined)[] = [];
  /** Each call fails like this. */
  fails: ModelFailure | Error | undefined;
  variant: GraphVariant | undefined;
  /** Called before each answer. */
  before: (passage: string) => void | Promise<void> = () => undefined;

  /** Passages that it was shown, in order. */
  get passages(): string[] {
    return this.requests.map(({ question }) => PASSAGE.exec(question)?.[2] ?? '');
  }

  failure(kind: ModelFailure['kind'], status: number | null = null): ModelFailure {
    return new ModelFailure({ provider: 'double', model: 'reader', kind, status });
  }

  async *stream(request: ChatRequest, options?: Parameters<ChatModel['stream']>[1]): AsyncGenerator<ChatDelta> {
    const { instructions = '', question } = request;
    this.requests.push(request);
    this.purposes.push(options?.caller?.purpose);
    await this.before(PASSAGE.exec(question)?.[2] ?? '');
    options?.signal?.throwIfAborted();
    if (this.fails !== undefined) throw this.fails;
    if (!asksForGraph(instructions, question)) throw new Error('This double reads passages alone.');
    yield { kind: 'text', text: graphAsDouble(instructions, question, this.variant) };
    yield { kind: 'finish', finishReason: 'stop', usage: { promptTokens: 300, completionTokens: 60 } };
  }
}
