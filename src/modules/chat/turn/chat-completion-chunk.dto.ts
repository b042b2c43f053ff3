import { PartialType } from '@nestjs/swagger';
import { Answer } from '#libs/http';
import { ChatAnswerDetails, ChatAnswerSource, FINISH_REASONS, type FinishReason } from './chat-completion.dto.js';

/** What a chunk adds to the message. */
export class ChatDeltaDto {
  /** Role of the message; only in the first chunk. */
  @Answer.Choice(['assistant'], { optional: true })
  role?: 'assistant';

  /** Next piece of the answer. */
  @Answer.Text({ optional: true })
  content?: string;

  /** Text of the refusal. */
  @Answer.Text({ optional: true })
  refusal?: string;
}

/** A change of the one answer. */
export class ChatChunkChoice {
  /** Always 0. */
  @Answer.Count()
  index!: number;

  /** What the chunk adds to the message. */
  @Answer.Nested(ChatDeltaDto)
  delta!: ChatDeltaDto;

  /** Why the answer ended; null until the answer is complete. */
  @Answer.Choice(FINISH_REASONS, { nullable: true })
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
  @Answer.Choice(['chat.completion.chunk'])
  object!: 'chat.completion.chunk';

  /** Time of the answer, in Unix seconds; the same in all its chunks. */
  @Answer.Count()
  created!: number;

  /** Model that answers. */
  model!: string;

  /** The change of the answer: one element, or none in the last chunk with `stream_options.include_usage`. */
  @Answer.NestedList(ChatChunkChoice)
  choices!: ChatChunkChoice[];

  /** Fragments that were given to the model, as in `ChatCompletion`; in the first chunk. */
  @Answer.NestedList(ChatAnswerSource, { optional: true })
  sources?: ChatAnswerSource[];
}
