import type { ChatAnswerSource, ChatCitation, ChatGrounding, FinishReason } from './chat-completion.dto.js';
import type { ChatRefusal } from './chat-refusal.dto.js';
import type { ChatTableReading } from './chat-table-reading.dto.js';

/** An answer as it is kept: with all that it was made of, so that it can be looked at whether that is still shown. */
export interface StoredAnswer {
  readonly text: string;
  /** Null of an answer that was cut off. */
  readonly finish_reason: FinishReason | null;
  readonly citations: readonly ChatCitation[];
  readonly sources: readonly ChatAnswerSource[];
  readonly grounding: ChatGrounding | null;
  readonly refusal: ChatRefusal | null;
  readonly table: ChatTableReading | null;
  /** Every document that has a part in it, those of the whole table that was asked included. */
  readonly document_ids: readonly string[];
}
