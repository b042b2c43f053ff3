import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsIn, IsInt, IsOptional, IsString, Matches, Max, MaxLength, Min } from 'class-validator';
import { PAGE_LIMIT_DEFAULT, PAGE_LIMIT_MAX } from '#libs/common';
import { IfPresent, ListQueryDto, QueryInteger } from '#libs/http';
import { TURN_STATES, type TurnState } from '../turn/conversation.entity.js';
import { RATINGS, type Rating } from '../questions/question-outcome.entity.js';
import { AnswerShare } from './shared-answer.dto.js';
import { TurnAnswer } from './turn-answer.dto.js';
import { WithheldAnswer } from './withheld-answer.dto.js';

export const MAX_TITLE = 200;
const MAX_CURSOR = 400;
const MAX_PLACE = 1_000_000;
const COUNT = { type: 'integer', minimum: 0 } as const;
const TITLE = { type: String, minLength: 1, maxLength: MAX_TITLE, pattern: '\\S' } as const;
const MOMENT = { format: 'date-time' } as const;

const trimmed = ({ value }: { value: unknown }): unknown => (typeof value === 'string' ? value.trim() : value);

/** A new conversation. */
export class CreateConversationRequest {
  /** Name of the conversation; default: the beginning of its first question. White space around it is removed. */
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

  /** Only rows after this place: `next` of the previous page, read with the same `order_by`. Cannot be combined with `skip`. */
  @ApiPropertyOptional({ type: String, minLength: 1, maxLength: MAX_CURSOR, pattern: '^[A-Za-z0-9_-]+$' })
  @IsOptional()
  @IsString()
  @MaxLength(MAX_CURSOR)
  after?: string;
}

/** Which turns of a conversation are read. */
export class ReadConversationQuery {
  /** Only turns with a smaller `place`: `previous` of the response before. Default: the newest turns. */
  @ApiPropertyOptional({ type: 'integer', minimum: 1, maximum: MAX_PLACE })
  @IsOptional()
  @QueryInteger()
  @IsInt()
  @Min(1)
  @Max(MAX_PLACE)
  before?: number;

  /** Maximum number of turns. */
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
  /** Identifier of the conversation: `conversation_id` of chats. */
  @ApiProperty({ format: 'uuid' })
  id!: string;

  /** Name of the conversation, or the beginning of its first question; null while it has neither. */
  @ApiProperty({ type: String, nullable: true })
  title!: string | null;

  /** Number of turns in the conversation. */
  @ApiProperty(COUNT)
  turn_count!: number;

  /** Time at which the conversation was created. */
  @ApiProperty(MOMENT)
  created_at!: string;

  /** Time at which the newest answer ended; without turns, time at which the conversation was created. */
  @ApiProperty(MOMENT)
  last_turn_at!: string;

  /** Time at which the conversation is removed unless it is continued: `CONVERSATIONS_KEPT_DAYS` after `last_turn_at`. */
  @ApiProperty(MOMENT)
  expires_at!: string;
}

/** A page of conversations. */
export class ConversationPage {
  /** Conversations of this page. */
  @ApiProperty({ type: [Conversation] })
  items!: Conversation[];

  /** Number of the caller's conversations. */
  @ApiProperty(COUNT)
  total!: number;

  /** Number of rows left out at the beginning. */
  @ApiProperty(COUNT)
  skip!: number;

  /** Maximum number of rows in a page. */
  @ApiProperty(COUNT)
  limit!: number;

  /** Place of the next page, to be sent as `after`; null when this page is the last one. */
  @ApiProperty({ type: String, nullable: true })
  next!: string | null;
}

/** What was said of an answer. */
export class TurnFeedback {
  /** Rating: thumb up or down. */
  @ApiProperty({ enum: RATINGS })
  rating!: Rating;

  /** Reason of the rating; null where none was given. */
  @ApiProperty({ type: String, nullable: true })
  reason!: string | null;

  /** The answer that would have been expected; null where none was given. */
  @ApiProperty({ type: String, nullable: true })
  expected!: string | null;
}

/** A question with its answer. */
export class ConversationTurn {
  /** Identifier of the turn. */
  @ApiProperty({ format: 'uuid' })
  id!: string;

  /** Place of the turn in the conversation, from 1; places of removed turns are not used again. */
  @ApiProperty({ type: 'integer', minimum: 1 })
  place!: number;

  /** `request_id` of the answer. */
  request_id!: string;

  /** Time at which the question was asked. */
  @ApiProperty(MOMENT)
  asked_at!: string;

  /** Time at which the answer ended. */
  @ApiProperty(MOMENT)
  answered_at!: string;

  /** The question as it was asked. */
  question!: string;

  /** Model that answered, as in `GET /models`. */
  model!: string;

  /**
   * Identifiers of the datasets that the answer depends on: those of its citations where a model that quotes wrote it and all of it is in its
   * citations, otherwise all that were asked.
   */
  @ApiProperty({ type: [String], format: 'uuid' })
  dataset_ids!: string[];

  /**
   * How the answer ended. `stopped`: the reader disconnected before the end, or the service stopped. `failed`: an error occurred after the first
   * word.
   */
  @ApiProperty({ enum: TURN_STATES })
  state!: TurnState;

  /** The answer; null where it is withheld. */
  @ApiProperty({ type: TurnAnswer, nullable: true })
  answer!: TurnAnswer | null;

  /** Why the answer is withheld; null where it is shown. */
  @ApiProperty({ type: WithheldAnswer, nullable: true })
  withheld!: WithheldAnswer | null;

  /** The caller's feedback (`POST /requests/{request_id}/feedback`); null where there is none. */
  @ApiProperty({ type: TurnFeedback, nullable: true })
  feedback!: TurnFeedback | null;

  /** Link to the answer; null where it is not shared. */
  @ApiProperty({ type: AnswerShare, nullable: true })
  share!: AnswerShare | null;
}

/** A conversation with turns. */
export class ConversationWithTurns extends Conversation {
  /** Turns, oldest first. */
  @ApiProperty({ type: [ConversationTurn] })
  turns!: ConversationTurn[];

  /** Value to send as `before` to read the turns before these; null where there are none. */
  @ApiProperty({ type: 'integer', minimum: 1, nullable: true })
  previous!: number | null;
}
