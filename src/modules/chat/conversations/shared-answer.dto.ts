import { ApiProperty } from '@nestjs/swagger';
import { TURN_STATES, type TurnState } from '../turn/conversation.entity.js';
import { TurnAnswer } from './turn-answer.dto.js';

const MOMENT = { format: 'date-time' } as const;

/** A link to an answer. */
export class AnswerShare {
  /** The shared answer: `GET /shared-answers/{id}`, and `/answers/{id}` of the console. */
  @ApiProperty({ format: 'uuid' })
  id!: string;

  /** When the link was made. */
  @ApiProperty(MOMENT)
  created_at!: string;
}

/** Where a shared answer is kept. */
export class SharedAnswerOrigin {
  /** The conversation. */
  @ApiProperty({ format: 'uuid' })
  conversation_id!: string;

  /** The turn. */
  @ApiProperty({ format: 'uuid' })
  turn_id!: string;
}

/** A question with its answer, shown to others than who asked. */
export class SharedAnswer extends AnswerShare {
  /** What was asked, as it was written. */
  question!: string;

  /** When the question came. */
  @ApiProperty(MOMENT)
  asked_at!: string;

  /** When the answer ended. */
  @ApiProperty(MOMENT)
  answered_at!: string;

  /** The model that answered, as in `GET /models`. */
  model!: string;

  /** The datasets that were asked. */
  @ApiProperty({ type: [String], format: 'uuid' })
  dataset_ids!: string[];

  /** `stopped`: the reader left before the end, or the service ended. `failed`: something went wrong after the first word. */
  @ApiProperty({ enum: TURN_STATES })
  state!: TurnState;

  /** The answer. */
  @ApiProperty({ type: TurnAnswer })
  answer!: TurnAnswer;

  /** For who shared it: where it is kept, to be revoked there. null for everybody else. */
  @ApiProperty({ type: SharedAnswerOrigin, nullable: true })
  own!: SharedAnswerOrigin | null;
}
