import type { ChatAnswerSource, ChatCitation, ChatGrounding, FinishReason } from './chat-completion.dto.js';
import type { ChatRefusal } from './chat-refusal.dto.js';
import type { ChatTableReading } from './chat-table-reading.dto.js';

/** A stored answer with everything that it rests on, so that it can be checked whether all of it is still shown. */
export interface StoredAnswer {
  readonly text: string;
  /** Null for an answer that was cut off. */
  readonly finish_reason: FinishReason | null;
  readonly citations: readonly ChatCitation[];
  readonly sources: readonly ChatAnswerSource[];
  readonly grounding: ChatGrounding | null;
  readonly refusal: ChatRefusal | null;
  readonly table: ChatTableReading | null;
  /** All documents that the answer rests on, including all documents of a queried table. */
  readonly document_ids: readonly string[];
}
