import { ApiProperty, ApiPropertyOptional, PartialType } from '@nestjs/swagger';
import { ChatAnswerDetails, ChatAnswerSource, FINISH_REASONS, type FinishReason } from './chat-completion.dto.js';

/** What a chunk adds to the message. */
export class ChatDeltaDto {
  /** Role of the message; only in the first chunk. */
  @ApiPropertyOptional({ enum: ['assistant'] })
  role?: 'assistant';

  /** Next piece of the answer. */
  @ApiPropertyOptional({ type: String })
  content?: string;

  /** Text of the refusal. */
  @ApiPropertyOptional({ type: String })
  refusal?: string;
}

/** A change of the one answer. */
export class ChatChunkChoice {
  /** Always 0. */
  @ApiProperty({ type: 'integer', minimum: 0 })
  index!: number;

  /** What the chunk adds to the message. */
  @ApiProperty({ type: ChatDeltaDto })
  delta!: ChatDeltaDto;

  /** Why the answer ended; null until the answer is complete. */
  @ApiProperty({ enum: FINISH_REASONS, nullable: true, type: String })
  finish_reason!: FinishReason | null;
}

/**
 * One event of a stream. The first carries `request_id` and `sources`; the last before `[DONE]` carries citations, grounding,
 * refusal, usage, `request_id` and `retrieval`.
 */
export class ChatCompletionChunk extends PartialType(ChatAnswerDetails) {
  /** Identifier of the answer, the same in all its chunks. */
  id!: string;

  /** Kind of this object. */
  @ApiProperty({ enum: ['chat.completion.chunk'] })
  object!: 'chat.completion.chunk';

  /** Time of the answer, in Unix seconds; the same in all its chunks. */
  @ApiProperty({ type: 'integer', minimum: 0 })
  created!: number;

  /** Model that answers. */
  model!: string;

  /** The change of the answer: one element, or none in the last chunk with `stream_options.include_usage`. */
  @ApiProperty({ type: [ChatChunkChoice] })
  choices!: ChatChunkChoice[];

  /** Fragments that were given to the model, as in `ChatCompletion`; in the first chunk. */
  @ApiPropertyOptional({ type: [ChatAnswerSource] })
  sources?: ChatAnswerSource[];
}
