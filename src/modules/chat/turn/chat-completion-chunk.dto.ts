import { ApiProperty, ApiPropertyOptional, PartialType } from '@nestjs/swagger';
import { ChatAnswerDetails, ChatAnswerSource, FINISH_REASONS, type FinishReason } from './chat-completion.dto.js';

/** What a chunk adds to the message. */
export class ChatDeltaDto {
  /** In the first chunk. */
  @ApiPropertyOptional({ enum: ['assistant'] })
  role?: 'assistant';

  /** The next piece of the answer. */
  @ApiPropertyOptional({ type: String })
  content?: string;

  /** The sentence of a refusal. */
  @ApiPropertyOptional({ type: String })
  refusal?: string;
}

/** A change of the one answer. */
export class ChatChunkChoice {
  /** Always 0. */
  @ApiProperty({ type: 'integer', minimum: 0 })
  index!: number;

  /** What it adds. */
  @ApiProperty({ type: ChatDeltaDto })
  delta!: ChatDeltaDto;

  /** null until the answer is complete. */
  @ApiProperty({ enum: FINISH_REASONS, nullable: true, type: String })
  finish_reason!: FinishReason | null;
}

/**
 * One event of a stream. The first carries `request_id` and `sources`; the last before `[DONE]` carries citations, grounding,
 * refusal, usage, `request_id` and `retrieval`.
 */
export class ChatCompletionChunk extends PartialType(ChatAnswerDetails) {
  /** The same in all chunks of an answer. */
  id!: string;

  /** Kind of this object. */
  @ApiProperty({ enum: ['chat.completion.chunk'] })
  object!: 'chat.completion.chunk';

  /** Unix seconds; the same in all chunks of an answer. */
  @ApiProperty({ type: 'integer', minimum: 0 })
  created!: number;

  /** The model that answers. */
  model!: string;

  /** One; none in the last chunk with `stream_options.include_usage`. */
  @ApiProperty({ type: [ChatChunkChoice] })
  choices!: ChatChunkChoice[];

  /** As in `ChatCompletion`. */
  @ApiPropertyOptional({ type: [ChatAnswerSource] })
  sources?: ChatAnswerSource[];
}
