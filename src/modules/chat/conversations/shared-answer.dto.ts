import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsOptional } from 'class-validator';
import { ListQueryDto } from '#libs/http';
import { TURN_STATES, type TurnState } from '../turn/conversation.entity.js';
import { TurnAnswer } from './turn-answer.dto.js';
import { WithheldAnswer } from './withheld-answer.dto.js';

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

export const SHARED_ANSWER_ORDERS = ['-created_at', 'created_at'] as const;
export type SharedAnswerOrder = (typeof SHARED_ANSWER_ORDERS)[number];

/** Order and place of a page of shared answers. */
export class ListSharedAnswersQuery extends ListQueryDto {
  /** Order of the rows; a minus sign means descending. */
  @ApiPropertyOptional({ enum: SHARED_ANSWER_ORDERS, default: '-created_at' })
  @IsOptional()
  @IsIn(SHARED_ANSWER_ORDERS)
  order_by: SharedAnswerOrder = '-created_at';
}

/** An answer that the caller has shared. */
export class OwnSharedAnswer extends AnswerShare {
  /** The question as it was asked. */
  question!: string;

  /** Identifier of the conversation. */
  @ApiProperty({ format: 'uuid' })
  conversation_id!: string;

  /** Name of the conversation; null: it has none. */
  @ApiProperty({ type: String, nullable: true })
  conversation_title!: string | null;

  /** Identifier of the turn; together with `conversation_id` the path at which the link is revoked. */
  @ApiProperty({ format: 'uuid' })
  turn_id!: string;

  /** Time at which the link ends because the conversation is removed, unless the conversation is continued before. */
  @ApiProperty(MOMENT)
  expires_at!: string;

  /** Why the link shows nothing now, to its owner neither; null: it shows the answer. */
  @ApiProperty({ type: WithheldAnswer, nullable: true })
  withheld!: WithheldAnswer | null;
}

/** A page of answers that the caller has shared. */
export class OwnSharedAnswerPage {
  /** The shared answers of this page. */
  @ApiProperty({ type: [OwnSharedAnswer] })
  items!: OwnSharedAnswer[];

  /** Total number of answers that the caller has shared. */
  @ApiProperty({ type: 'integer', minimum: 0 })
  total!: number;

  /** Number of rows left out at the beginning. */
  @ApiProperty({ type: 'integer', minimum: 0 })
  skip!: number;

  /** Maximum number of rows. */
  @ApiProperty({ type: 'integer', minimum: 1 })
  limit!: number;
}
