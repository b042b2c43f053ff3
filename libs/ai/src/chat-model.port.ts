import type { JsonObject } from '#libs/common';
import type { ModelCallOptions, ModelUsage } from './model-call.js';

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
  /** Tokens of an answer whose request does not say how many; absent: `maxOutputTokens`. It is what a budget sets aside. */
  readonly defaultOutputTokens?: number;
  /** Whether earlier messages change the answer. A model that does not read them answers the question alone, and is given none. */
  readonly readsHistory: boolean;
  /** What of a request the model honours beside the messages; absent: nothing of it. */
  readonly supports?: ChatModelSupport;
}

/** Parts of a request that only some models honour; the others ignore them. */
export interface ChatModelSupport {
  /** `responseFormat` of the kind `json_object`. */
  readonly jsonObject: boolean;
  /** `responseFormat` of the kind `json_schema`. */
  readonly jsonSchema: boolean;
  readonly seed: boolean;
}

/** The form that the text of an answer must have. */
export type ChatResponseFormat =
  | { readonly kind: 'json_object' }
  | {
      readonly kind: 'json_schema';
      readonly name: string;
      /** A JSON Schema, as the caller gave it. */
      readonly schema: JsonObject;
      readonly strict?: boolean;
    };

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
  /** Headings above it, outermost first; last, where it begins inside a table, the names of the columns (`Name | City | Year`). */
  readonly headings?: readonly string[];
  /** How relevant retrieval found it; larger is better, comparable within one request only. */
  readonly score: number;
  /** Given where meaning decides what answers: of each statement of the text (`splitStatements`) how alike it is to the question, in spreads of unrelated texts. */
  readonly likeness?: readonly number[];
  /** From when it holds, where its document says so: `iso` sorts by time, `text` is as written there. */
  readonly date?: { readonly iso: string; readonly text: string } | null;
}

/** One of several questions that a message asks. */
export interface ChatQuestionPart {
  /** Understandable without the others. */
  readonly question: string;
  /** As the message writes it. */
  readonly asked: string;
  /** The passages that may answer it, with the numbers that they have among all; none: nothing answers it. */
  readonly sources: readonly ChatSource[];
}

export interface ChatRequest {
  /** The conversation, oldest first, the question included. */
  readonly messages: readonly ChatMessage[];
  /** The passages, best first. */
  readonly sources: readonly ChatSource[];
  /** The question on its own, understandable without the conversation. */
  readonly question: string;
  /** The last message alone, where `question` completes it with words of earlier ones. Models that write do not read it. */
  readonly asked?: string;
  /** With `asked`: earlier answers, oldest first. A model that quotes does not tell them again; it quotes nothing of them. */
  readonly told?: readonly string[];
  /** Given where the message asks several questions. A model that quotes answers them one by one; others do not read them. */
  readonly parts?: readonly ChatQuestionPart[];
  /**
   * The rules by which a text is written that is no answer from sources. They are in place of the model's own: no markers are
   * asked for, and the model does not refuse. The messages then hold no system message. A model that quotes does not read them.
   */
  readonly instructions?: string;
  /** 0 to 2; a model without chance ignores it. */
  readonly temperature?: number;
  /** The most tokens of the answer, at least 1; default: `defaultOutputTokens` of the model. */
  readonly maxTokens?: number;
  /** Share of probability that words are drawn from, above 0 to 1. */
  readonly topP?: number;
  /** The same seed and request give the same answer as far as the model can. */
  readonly seed?: number;
  /** The answer ends before the first of these texts. The caller cuts again: providers limit how many they take. */
  readonly stop?: readonly string[];
  /** Absent: text with markers. With it no markers are asked for. */
  readonly responseFormat?: ChatResponseFormat;
}

export interface ChatUsage extends Partial<Pick<ModelUsage, 'isEstimated' | 'requests'>> {
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
  /**
   * `stop`: complete. `length`: cut at `maxTokens`. `refusal`: the sources do not answer the question, no text was given.
   * `content_filter`: the provider has stopped the answer; what was given before remains.
   */
  readonly finishReason: 'stop' | 'length' | 'refusal' | 'content_filter';
  readonly usage: ChatUsage;
}

export type ChatDelta = ChatText | ChatFinish;

/** Answers a question from numbered sources. Injection token. Implementations must pass `describeChatModel`. */
export abstract class ChatModel {
  abstract readonly descriptor: ChatModelDescriptor;

  /**
   * The answer in pieces, as it comes, with `[n]` behind what source n supports, then one `finish`. Nothing starts before
   * the first `next()`; leaving the loop, like the signal, stops the model.
   * @throws `ModelFailure` when a remote model gives no usable answer, also in the middle of one; the signal's reason after an abort.
   */
  abstract stream(request: ChatRequest, options?: ModelCallOptions): AsyncIterable<ChatDelta>;
}
