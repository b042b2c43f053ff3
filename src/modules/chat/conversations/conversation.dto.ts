import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsIn, IsInt, IsOptional, IsString, Matches, Max, MaxLength, Min } from 'class-validator';
import { PAGE_LIMIT_DEFAULT, PAGE_LIMIT_MAX } from '#libs/common';
import { IfPresent, ListQueryDto, QueryInteger } from '#libs/http';
import { TURN_STATES, type TurnState } from '../turn/conversation.entity.js';
import { RATINGS, type Rating } from '../questions/question-outcome.entity.js';
import { AnswerShare } from './shared-answer.dto.js';
import { TurnAnswer } from './turn-answer.dto.js';

export const MAX_TITLE = 200;
const MAX_CURSOR = 400;
const MAX_PLACE = 1_000_000;
const COUNT = { type: 'integer', minimum: 0 } as const;
const TITLE = { type: String, minLength: 1, maxLength: MAX_TITLE, pattern: '\\S' } as const;
const MOMENT = { format: 'date-time' } as const;

const trimmed = ({ value }: { value: unknown }): unknown => (typeof value === 'string' ? value.trim() : value);

/** A new conversation. */
export class CreateConversationRequest {
  /** Name of the conversation; without one it takes the beginning of its first question. White space around it is removed. */
  @ApiPropertyOptional(TITLE)
  @IfPresent()
  @Transform(trimmed)
  @IsString()
  @MaxLength(MAX_TITLE)
  @Matches(/\S/u, { message: 'title must hold more than white space' })
  title?: string;
}

/** Another name of a conversation. */
export class UpdateConversationRequest {
  /** Name of the conversation. White space around it is removed. */
  @ApiProperty(TITLE)
  @Transform(trimmed)
  @IsString()
  @MaxLength(MAX_TITLE)
  @Matches(/\S/u, { message: 'title must hold more than white space' })
  title!: string;
}

export const CONVERSATION_ORDERS = ['-last_turn_at', 'last_turn_at', '-created_at', 'created_at'] as const;
export type ConversationOrder = (typeof CONVERSATION_ORDERS)[number];

/** Order and place of a page of conversations. */
export class ListConversationsQuery extends ListQueryDto {
  /** Order of the rows; a minus sign means descending. */
  @ApiPropertyOptional({ enum: CONVERSATION_ORDERS, default: '-last_turn_at' })
  @IsOptional()
  @IsIn(CONVERSATION_ORDERS)
  order_by: ConversationOrder = '-last_turn_at';

  /** Only the rows behind this place: `next` of the page before, with the same `order_by`. Not with `skip`. */
  @ApiPropertyOptional({ type: String, minLength: 1, maxLength: MAX_CURSOR, pattern: '^[A-Za-z0-9_-]+$' })
  @IsOptional()
  @IsString()
  @MaxLength(MAX_CURSOR)
  after?: string;
}

/** Which turns of a conversation are read. */
export class ReadConversationQuery {
  /** Only turns with a smaller `place`: `previous` of the answer before. Default: the newest turns. */
  @ApiPropertyOptional({ type: 'integer', minimum: 1, maximum: MAX_PLACE })
  @IsOptional()
  @QueryInteger()
  @IsInt()
  @Min(1)
  @Max(MAX_PLACE)
  before?: number;

  /** How many turns at most. */
  @ApiPropertyOptional({ type: 'integer', minimum: 1, maximum: PAGE_LIMIT_MAX, default: PAGE_LIMIT_DEFAULT })
  @IsOptional()
  @QueryInteger()
  @IsInt()
  @Min(1)
  @Max(PAGE_LIMIT_MAX)
  limit: number = PAGE_LIMIT_DEFAULT;
}

/** A conversation without its turns. */
export class Conversation {
  /** The conversation: `conversation_id` of chats. */
  @ApiProperty({ format: 'uuid' })
  id!: string;

  /** Name, or the beginning of the first question; null until there is one of both. */
  @ApiProperty({ type: String, nullable: true })
  title!: string | null;

  /** Number of its turns. */
  @ApiProperty(COUNT)
  turn_count!: number;

  /** When it was made. */
  @ApiProperty(MOMENT)
  created_at!: string;

  /** When its newest answer ended; of one without turns when it was made. */
  @ApiProperty(MOMENT)
  last_turn_at!: string;

  /** When it will be removed unless it is gone on with: `CONVERSATIONS_KEPT_DAYS` after `last_turn_at`. */
  @ApiProperty(MOMENT)
  expires_at!: string;
}

/** A page of conversations. */
export class ConversationPage {
  /** The conversations of this page. */
  @ApiProperty({ type: [Conversation] })
  items!: Conversation[];

  /** Number of the caller's conversations. */
  @ApiProperty(COUNT)
  total!: number;

  /** Number of rows that were left out at the beginning. */
  @ApiProperty(COUNT)
  skip!: number;

  /** Most rows of a page. */
  @ApiProperty(COUNT)
  limit!: number;

  /** Where the next page begins: to be sent as `after`. Null: no conversation is behind this page. */
  @ApiProperty({ type: String, nullable: true })
  next!: string | null;
}

export const WITHHELD_CODES = ['DATASET_OUT_OF_SIGHT', 'SOURCE_OUT_OF_SIGHT', 'SOURCE_CHANGED'] as const;
export type WithheldCode = (typeof WITHHELD_CODES)[number];

/** Why an answer is not shown. */
export class WithheldAnswer {
  /**
   * `DATASET_OUT_OF_SIGHT`: a dataset that was asked is gone, or the caller does not see it any more. `SOURCE_OUT_OF_SIGHT`: a document that the
   * answer was made of is deleted, in quarantine or otherwise not shown. `SOURCE_CHANGED`: such a document shows another text there, or has
   * another name, which the answer says: a stricter policy may have masked it. What earlier answers of the conversation were made of counts
   * where the model was given them with the question.
   */
  @ApiProperty({ enum: WITHHELD_CODES })
  code!: WithheldCode;

  /** The same in a sentence. */
  detail!: string;
}

/** What was said of an answer. */
export class TurnFeedback {
  /** Thumb up or down. */
  @ApiProperty({ enum: RATINGS })
  rating!: Rating;

  /** Why. */
  @ApiProperty({ type: String, nullable: true })
  reason!: string | null;

  /** What should have been answered. */
  @ApiProperty({ type: String, nullable: true })
  expected!: string | null;
}

/** A question with its answer. */
export class ConversationTurn {
  /** The turn. */
  @ApiProperty({ format: 'uuid' })
  id!: string;

  /** Place in the conversation, from 1; places of turns that are gone are not given again. */
  @ApiProperty({ type: 'integer', minimum: 1 })
  place!: number;

  /** `request_id` of the answer. */
  request_id!: string;

  /** When the question came. */
  @ApiProperty(MOMENT)
  asked_at!: string;

  /** When the answer ended. */
  @ApiProperty(MOMENT)
  answered_at!: string;

  /** What was asked, as it was written. */
  question!: string;

  /** The model that answered, as in `GET /models`. */
  model!: string;

  /** The datasets that were asked. */
  @ApiProperty({ type: [String], format: 'uuid' })
  dataset_ids!: string[];

  /** `stopped`: the reader left before the end, or the service ended. `failed`: something went wrong after the first word. */
  @ApiProperty({ enum: TURN_STATES })
  state!: TurnState;

  /** null where the answer is withheld. */
  @ApiProperty({ type: TurnAnswer, nullable: true })
  answer!: TurnAnswer | null;

  /** Why there is no answer to see; null where there is one. */
  @ApiProperty({ type: WithheldAnswer, nullable: true })
  withheld!: WithheldAnswer | null;

  /** What the caller has said of it (`POST /requests/{request_id}/feedback`). */
  @ApiProperty({ type: TurnFeedback, nullable: true })
  feedback!: TurnFeedback | null;

  /** The link to the answer; null where it is not shared. */
  @ApiProperty({ type: AnswerShare, nullable: true })
  share!: AnswerShare | null;
}

/** A conversation with turns. */
export class ConversationWithTurns extends Conversation {
  /** Oldest first. */
  @ApiProperty({ type: [ConversationTurn] })
  turns!: ConversationTurn[];

  /** To be sent as `before` for the turns before these. Null: there are none. */
  @ApiProperty({ type: 'integer', minimum: 1, nullable: true })
  previous!: number | null;
}
