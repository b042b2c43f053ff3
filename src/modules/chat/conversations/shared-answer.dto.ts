import { ApiProperty } from '@nestjs/swagger';
import { TURN_STATES, type TurnState } from '../turn/conversation.entity.js';
import { TurnAnswer } from './turn-answer.dto.js';

const MOMENT = { format: 'date-time' } as const;

/** A link to an answer. */
export class AnswerShare {
  /** Identifier of the shared answer, for `GET /shared-answers/{id}` and `/answers/{id}` of the console. */
  @ApiProperty({ format: 'uuid' })
  id!: string;

  /** Time at which the link was made. */
  @ApiProperty(MOMENT)
  created_at!: string;
}

/** Where a shared answer is kept. */
export class SharedAnswerOrigin {
  /** Identifier of the conversation. */
  @ApiProperty({ format: 'uuid' })
  conversation_id!: string;

  /** Identifier of the turn. */
  @ApiProperty({ format: 'uuid' })
  turn_id!: string;
}

/** A question with its answer, shown to others than who asked. */
export class SharedAnswer extends AnswerShare {
  /** The question as it was asked. */
  question!: string;

  /** Time at which the question was asked. */
  @ApiProperty(MOMENT)
  asked_at!: string;

  /** Time at which the answer ended. */
  @ApiProperty(MOMENT)
  answered_at!: string;

  /** Model that answered, as in `GET /models`. */
  model!: string;

  /** Identifiers of the datasets that the answer depends on, as in `GET /conversations/{conversation_id}`. */
  @ApiProperty({ type: [String], format: 'uuid' })
  dataset_ids!: string[];

  /**
   * How the answer ended. `stopped`: the reader disconnected before the end, or the service stopped. `failed`: an error occurred after the first
   * word.
   */
  @ApiProperty({ enum: TURN_STATES })
  state!: TurnState;

  /** The answer. */
  @ApiProperty({ type: TurnAnswer })
  answer!: TurnAnswer;

  /** For the member who shared it: conversation and turn of the answer, where the link can be revoked. null for other members. */
  @ApiProperty({ type: SharedAnswerOrigin, nullable: true })
  own!: SharedAnswerOrigin | null;
}
