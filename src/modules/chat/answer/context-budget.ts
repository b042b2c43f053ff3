import type { ChatMessage, ChatModelDescriptor, ChatSource } from '#libs/ai';
import { countTokens } from '#libs/text';
import { chatErrors } from '../chat.errors.js';

/** Tokens of a message or a source beside its text: role, number, delimiters. */
const FRAME_TOKENS = 8;
/** Maximum share of the context that is reserved for the answer. */
const ANSWER_SHARE = 1 / 4;
/** Maximum share of the rest for the question and the system messages. */
const QUESTION_SHARE = 3 / 4;
/** Maximum share of what is then left for earlier turns; the sources get the rest. */
const HISTORY_SHARE = 1 / 2;

/** Messages that fit into a model's context together with its answer, and what is left for sources. */
export interface FittedContext {
  /** In their order: all system messages, the latest earlier turns, the question. */
  readonly messages: readonly ChatMessage[];
  /** Tokens that sources may have. */
  readonly room: number;
}

/**
 * Cuts a conversation to a model's context; the oldest turns are dropped first.
 * @param messages the conversation, the question last.
 * @throws `chat.question_too_long` when the question and the system messages leave no room for sources.
 */
export function fitContext(
  descriptor: Pick<ChatModelDescriptor, 'contextTokens' | 'maxOutputTokens' | 'defaultOutputTokens'>,
  messages: readonly ChatMessage[],
  maxTokens: number = descriptor.defaultOutputTokens ?? descriptor.maxOutputTokens,
): FittedContext {
  const answer = Math.min(maxTokens, descriptor.maxOutputTokens, Math.floor(descriptor.contextTokens * ANSWER_SHARE));
  const room = descriptor.contextTokens - answer;
  const last = messages.length - 1;
  const isFixed = (message: ChatMessage, index: number): boolean => message.role === 'system' || index === last;
  const fixed = sum(messages.filter(isFixed).map(costOfMessage));
  const limit = Math.floor(room * QUESTION_SHARE);
  if (fixed > limit) throw chatErrors.question_too_long({ tokens: fixed, limit });

  const forHistory = Math.floor((room - fixed) * HISTORY_SHARE);
  const turns = messages.filter((message, index) => !isFixed(message, index));
  const kept = new Set(takeWhileFitting(turns.toReversed(), costOfMessage, forHistory));
  return {
    messages: messages.filter((message, index) => isFixed(message, index) || kept.has(message)),
    room: room - fixed - sum([...kept].map(costOfMessage)),
  };
}

function takeWhileFitting<T>(items: readonly T[], costOf: (item: T) => number, budget: number): T[] {
  let left = budget;
  const end = items.findIndex((item) => (left -= costOf(item)) < 0);
  return items.slice(0, end < 0 ? items.length : end);
}

function costOfMessage({ content }: ChatMessage): number {
  return countTokens(content) + FRAME_TOKENS;
}

/** Tokens of a source with what frames it. */
export function costOfSource({ text, title, headings = [] }: Pick<ChatSource, 'text' | 'title' | 'headings'>): number {
  return countTokens(text) + sum([title, ...headings].map(countTokens)) + FRAME_TOKENS;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
