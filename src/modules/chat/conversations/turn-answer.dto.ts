import { ApiProperty } from '@nestjs/swagger';
import {
  ChatAnswerSource,
  ChatCitation,
  ChatGrounding,
  FINISH_REASONS,
  type FinishReason,
} from '../turn/chat-completion.dto.js';
import { ChatRefusal } from '../turn/chat-refusal.dto.js';
import { ChatTableReading } from '../turn/chat-table-reading.dto.js';

/** What was answered, as the caller may see it now: names of documents are those of today. */
export class TurnAnswer {
  /** The answer, with `[n]` behind what source n supports; or the sentence of the refusal. */
  content!: string;

  /** As in the answer of the chat; null of an answer that was cut off. */
  @ApiProperty({ enum: FINISH_REASONS, nullable: true, type: String })
  finish_reason!: FinishReason | null;

  /** As in the answer of the chat; none of an answer that was cut off. */
  @ApiProperty({ type: [ChatCitation] })
  citations!: ChatCitation[];

  /** As in the answer of the chat. */
  @ApiProperty({ type: [ChatAnswerSource] })
  sources!: ChatAnswerSource[];

  /** As in the answer of the chat; null of an answer that was cut off. */
  @ApiProperty({ type: ChatGrounding, nullable: true })
  grounding!: ChatGrounding | null;

  /** null when there is an answer. */
  @ApiProperty({ type: ChatRefusal, nullable: true })
  refusal!: ChatRefusal | null;

  /** How a table was asked; null where none was. */
  @ApiProperty({ type: ChatTableReading, nullable: true })
  table!: ChatTableReading | null;
}
