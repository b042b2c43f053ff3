import { Answer } from '#libs/http';
import {
  ChatAnswerSource,
  ChatCitation,
  ChatGrounding,
  FINISH_REASONS,
  type FinishReason,
} from '../turn/chat-completion.dto.js';
import { ChatRefusal } from '../turn/chat-refusal.dto.js';
import { ChatTableReading } from '../turn/chat-table-reading.dto.js';

/** The answer as the caller may see it now, with the current names of documents. */
export class TurnAnswer {
  /** The answer, with `[n]` after what source n supports; for a refusal, the text of the refusal. */
  content!: string;

  /** Why the answer ended, as in `POST /chat/completions`; null for an answer that was cut off. */
  @Answer.Choice(FINISH_REASONS, { nullable: true })
  finish_reason!: FinishReason | null;

  /** Citations, as in `POST /chat/completions`; empty for an answer that was cut off. */
  @Answer.NestedList(ChatCitation)
  citations!: ChatCitation[];

  /** Sources, as in `POST /chat/completions`; only the cited ones where a model that quotes wrote the answer and all of it is in its citations. */
  @Answer.NestedList(ChatAnswerSource)
  sources!: ChatAnswerSource[];

  /** Support of the answer by its sources, as in `POST /chat/completions`; null for an answer that was cut off. */
  @Answer.Nested(ChatGrounding, { nullable: true })
  grounding!: ChatGrounding | null;

  /** Reason for the refusal; null when there is an answer. */
  @Answer.Nested(ChatRefusal, { nullable: true })
  refusal!: ChatRefusal | null;

  /** How a table was queried; null where none was. */
  @Answer.Nested(ChatTableReading, { nullable: true })
  table!: ChatTableReading | null;
}
