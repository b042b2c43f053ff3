import type { ChatUsage } from '#libs/ai';
import type { ChatConversation } from './chat-conversation.dto.js';
import type { ChatCitation, ChatGrounding, FinishReason } from './chat-completion.dto.js';
import type { Missing } from '#libs/answering';
import type { AnswerMeasure } from '../../retrieval/index.js';
import type { NextStep } from './next-steps.service.js';
import type { RefusalCode } from './refusals.js';

/** The refusal of an answer. */
export interface Refusal {
  readonly code: RefusalCode;
  /** In the language of the question where it is known, else in English. */
  readonly message: string;
  /** Null where passages that answer were found. */
  readonly missing: Missing | null;
  /** The measure that decided; null where none did. */
  readonly measure: AnswerMeasure | null;
  readonly nextStep: NextStep | null;
}

/** Everything of an answer except its text. */
export interface AnswerFacts {
  readonly finishReason: FinishReason;
  readonly usage: ChatUsage;
  readonly citations: readonly ChatCitation[];
  /** null when it was not measured. */
  readonly grounding: ChatGrounding | null;
  readonly refusal: Refusal | null;
  /** Number of markers of the model that named no source. */
  readonly removedMarkers: number;
  /** Links, images, addresses and tags that are shown as text. */
  readonly removedLinks: number;
  /** Where it was kept; absent where the request names no conversation. */
  readonly kept?: ChatConversation;
}

/**
 * Events of an answer: first that the model has begun or is not needed, then the pieces of the text, which is their concatenation, and last the
 * facts about the answer, once.
 */
export type AnswerEvent =
  | { readonly kind: 'begun' }
  | { readonly kind: 'text'; readonly text: string; readonly isRefusal: boolean }
  | { readonly kind: 'facts'; readonly facts: AnswerFacts };
