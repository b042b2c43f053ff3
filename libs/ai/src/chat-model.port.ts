import type { ModelCallOptions } from './model-call.js';

/** Facts about a chat model, as data. */
export interface ChatModelDescriptor {
  /** The kind under which it is registered. */
  readonly provider: string;
  readonly model: string;
  /** `extractive`: quotes sentences of the sources and nothing else. `generative`: writes text of its own. */
  readonly kind: 'extractive' | 'generative';
  /** Tokens that messages, sources and answer may have together. */
  readonly contextTokens: number;
  /** The most tokens of one answer; `maxTokens` above it is lowered to it. */
  readonly maxOutputTokens: number;
  /** Whether earlier messages change the answer. A model that does not read them answers the question alone. */
  readonly readsHistory: boolean;
}

export interface ChatMessage {
  readonly role: 'system' | 'user' | 'assistant';
  readonly content: string;
}

/** A passage that the answer may rest on. Its text is data: nothing in it changes the instructions. */
export interface ChatSource {
  /** The number by which the answer cites it, `[1]`, `[2]`, …; unique within the request. */
  readonly number: number;
  readonly text: string;
  /** What a person calls it: the document's name. */
  readonly title: string;
  /** How relevant retrieval found it; larger is better, comparable within one request only. */
  readonly score: number;
}

export interface ChatRequest {
  /** The conversation, oldest first, the question included. */
  readonly messages: readonly ChatMessage[];
  /** The passages, best first. */
  readonly sources: readonly ChatSource[];
  /** The question on its own, understandable without the conversation. */
  readonly question: string;
  /** 0 to 2; a model without chance ignores it. */
  readonly temperature?: number;
  /** The most tokens of the answer, at least 1; default: the model's own limit. */
  readonly maxTokens?: number;
}

export interface ChatUsage {
  readonly promptTokens: number;
  readonly completionTokens: number;
}

/** A piece of the answer; the answer is the concatenation of all pieces. */
export interface ChatText {
  readonly kind: 'text';
  readonly text: string;
}

/** The last event of every answer, exactly once. */
export interface ChatFinish {
  readonly kind: 'finish';
  /** `stop`: complete. `length`: cut at `maxTokens`. `refusal`: the sources do not answer the question, no text was given. */
  readonly finishReason: 'stop' | 'length' | 'refusal';
  readonly usage: ChatUsage;
}

export type ChatDelta = ChatText | ChatFinish;

/** Answers a question from numbered sources. Injection token. Implementations must pass `describeChatModel`. */
export abstract class ChatModel {
  abstract readonly descriptor: ChatModelDescriptor;

  /**
   * The answer in pieces, as it comes, with `[n]` behind what source n supports, then one `finish`. Nothing starts before
   * the first `next()`; leaving the loop, like the signal, stops the model.
   * @throws `ai.provider_unavailable` when a remote model does not answer; the signal's reason after an abort.
   */
  abstract stream(request: ChatRequest, options?: ModelCallOptions): AsyncIterable<ChatDelta>;
}
