import type { JsonObject } from '#libs/common';
import type { ModelCallOptions, ModelUsage } from './model-call.js';

/** Facts about a chat model, as data. */
export interface ChatModelDescriptor {
  /** The kind under which it is registered. */
  readonly provider: string;
  readonly model: string;
  /** `extractive`: only quotes sentences of the sources. `generative`: writes text of its own. */
  readonly kind: 'extractive' | 'generative';
  /** Maximum number of tokens of messages, sources and answer together. */
  readonly contextTokens: number;
  /** Maximum number of tokens of one answer; a greater `maxTokens` is lowered to it. */
  readonly maxOutputTokens: number;
  /** Maximum number of tokens of an answer whose request names none; absent: `maxOutputTokens`. A budget reserves this number. */
  readonly defaultOutputTokens?: number;
  /** Whether the model reads earlier messages. One that does not answers the question alone and is given none. */
  readonly readsHistory: boolean;
  /** Options of a request that the model supports; absent: none. */
  readonly supports?: ChatModelSupport;
}

/** Options that only some models support; others ignore them. */
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

/** A passage on which the answer may rest. Its text is data and cannot change the instructions. */
export interface ChatSource {
  /** Number with which the answer cites the source, `[1]`, `[2]`, …; unique within the request. */
  readonly number: number;
  readonly text: string;
  /** Name of the document. */
  readonly title: string;
  /**
   * Headings above the passage, outermost first. Where it begins inside a table, the last one has the names of the columns (`Name | City |
   * Year`).
   */
  readonly headings?: readonly string[];
  /** Score of the search; higher is better, comparable only within one request. */
  readonly score: number;
  /**
   * Present where the meaning of statements decides what answers: similarity of each statement of the text (`splitStatements`) to the question,
   * in spreads of unrelated texts.
   */
  readonly likeness?: readonly number[];
  /** Date from which the passage is valid, if its document names one: `iso` for sorting, `text` as written in the document. */
  readonly date?: { readonly iso: string; readonly text: string } | null;
}

/** One of several questions that a message asks. */
export interface ChatQuestionPart {
  /** Understandable without the others. */
  readonly question: string;
  /** As the message writes it. */
  readonly asked: string;
  /** The passages that may answer the question, with their numbers among all passages; empty: nothing answers it. */
  readonly sources: readonly ChatSource[];
}

export interface ChatRequest {
  /** The conversation, oldest first, the question included. */
  readonly messages: readonly ChatMessage[];
  /** The passages, best first. */
  readonly sources: readonly ChatSource[];
  /** The question in a form that is understandable without the conversation. */
  readonly question: string;
  /** The last message alone, where `question` adds words of earlier messages. Models that write do not read it. */
  readonly asked?: string;
  /** With `asked`: earlier answers, oldest first. A model that quotes does not repeat them. */
  readonly told?: readonly string[];
  /** Present where the message asks several questions. A model that quotes answers them one by one; others do not read them. */
  readonly parts?: readonly ChatQuestionPart[];
  /**
   * Rules for a text that is not an answer from sources. They replace the model's own rules: markers are not requested, and the model does not
   * refuse. The messages then contain no system message. A model that quotes does not read the rules.
   */
  readonly instructions?: string;
  /** 0 to 2; a model without randomness ignores it. */
  readonly temperature?: number;
  /** Maximum number of tokens of the answer, at least 1; default: `defaultOutputTokens` of the model. */
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
   * Streams the answer in pieces, with `[n]` after what source n supports, followed by one `finish`. Nothing starts before the first `next()`;
   * leaving the loop, like the signal, stops the model.
   * @throws `ModelFailure` when a remote model gives no usable answer, also in the middle of one; the signal's reason after an abort.
   */
  abstract stream(request: ChatRequest, options?: ModelCallOptions): AsyncIterable<ChatDelta>;
}
