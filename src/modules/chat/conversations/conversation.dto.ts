import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsString, Matches, MaxLength } from 'class-validator';
import { PAGE_LIMIT_DEFAULT, PAGE_LIMIT_MAX } from '#libs/common';
import { Answer, Choice, IfPresent, Integer, ListQueryDto, PageOf, Text } from '#libs/http';
import { TURN_STATES, type TurnState } from '../turn/conversation.entity.js';
import { RATINGS, type Rating } from '../questions/question-outcome.entity.js';
import { AnswerShare } from './shared-answer.dto.js';
import { TurnAnswer } from './turn-answer.dto.js';
import { WithheldAnswer } from './withheld-answer.dto.js';

export const MAX_TITLE = 200;
const MAX_CURSOR = 400;
const MAX_PLACE = 1_000_000;
const TITLE = { type: String, minLength: 1, maxLength: MAX_TITLE, pattern: '\\S' } as const;

const trimmed = ({ value }: { value: unknown }): unknown => (typeof value === 'string' ? value.trim() : value);

/** A new conversation. */
export class CreateConversationRequest {
  /** Name of the conversation; default: the beginning of its first question. White space around it is removed. */
  @ApiPropertyOptional(TITLE)
  @IfPresent()
  @Transform(trimmed)
  @IsString()
  @MaxLength(MAX_TITLE)
  @Matches(/\S/u, { message: 'title must contain more than white space' })
  title?: string;
}

/** Another name of a conversation. */
export class UpdateConversationRequest {
  /** Name of the conversation. White space around it is removed. */
  @ApiProperty(TITLE)
  @Transform(trimmed)
  @IsString()
  @MaxLength(MAX_TITLE)
  @Matches(/\S/u, { message: 'title must contain more than white space' })
  title!: string;
}

export const CONVERSATION_ORDERS = ['-last_turn_at', 'last_turn_at', '-created_at', 'created_at'] as const;
export type ConversationOrder = (typeof CONVERSATION_ORDERS)[number];

/** Order and place of a page of conversations. */
export class ListConversationsQuery extends ListQueryDto {
  /** Order of the rows; a minus sign means descending. */
  @Choice(CONVERSATION_ORDERS, { query: true, default: '-last_turn_at' })
  order_by: ConversationOrder = '-last_turn_at';

  /** Only rows after this place: `next` of the previous page, read with the same `order_by`. Cannot be combined with `skip`. */
  @Text({ query: true, max: MAX_CURSOR, described: { minLength: 1, pattern: '^[A-Za-z0-9_-]+$' } })
  after?: string;
}

/** Which turns of a conversation are read. */
export class ReadConversationQuery {
  /** Only turns with a smaller `place`: `previous` of the previous response. Default: the newest turns. */
  @Integer({ query: true, min: 1, max: MAX_PLACE })
  before?: number;

  /** Maximum number of turns. */
  @Integer({ query: true, min: 1, max: PAGE_LIMIT_MAX, default: PAGE_LIMIT_DEFAULT })
  limit: number = PAGE_LIMIT_DEFAULT;
}

/** A conversation without its turns. */
export class Conversation {
  /** Identifier of the conversation: `conversation_id` of chats. */
  @Answer.Uuid()
  id!: string;

  /** Name of the conversation, or the beginning of its first question; null while it has neither. */
  @Answer.Text({ nullable: true })
  title!: string | null;

  /** Number of turns in the conversation. */
  @Answer.Count()
  turn_count!: number;

  /** Time at which the conversation was created. */
  @Answer.Instant()
  created_at!: string;

  /** Time at which the newest answer ended; without turns, time at which the conversation was created. */
  @Answer.Instant()
  last_turn_at!: string;

  /** Time at which the conversation is removed unless it is continued: `CONVERSATIONS_KEPT_DAYS` after `last_turn_at`. */
  @Answer.Instant()
  expires_at!: string;
}

/** A page of conversations. */
export class ConversationPage extends PageOf(Conversation, {
  items: 'Conversations of this page.',
  total: "Number of the caller's conversations.",
}) {
  /** Place of the next page, to be sent as `after`; null when this page is the last one. */
  @Answer.Text({ nullable: true })
  next!: string | null;
}

/** Feedback on an answer. */
export class TurnFeedback {
  /** Rating: thumb up or down. */
  @Answer.Choice(RATINGS)
  rating!: Rating;

  /** Reason for the rating; null where none was given. */
  @Answer.Text({ nullable: true })
  reason!: string | null;

  /** The answer that would have been expected; null where none was given. */
  @Answer.Text({ nullable: true })
  expected!: string | null;
}

/** A question with its answer. */
export class ConversationTurn {
  /** Identifier of the turn. */
  @Answer.Uuid()
  id!: string;

  /** Place of the turn in the conversation, from 1; places of removed turns are not used again. */
  @Answer.Integer({ min: 1 })
  place!: number;

  /** `request_id` of the answer. */
  request_id!: string;

  /** Time at which the question was asked. */
  @Answer.Instant()
  asked_at!: string;

  /** Time at which the answer ended. */
  @Answer.Instant()
  answered_at!: string;

  /** The question as it was asked. */
  question!: string;

  /** Model that answered, as in `GET /models`. */
  model!: string;

  /**
   * Identifiers of the datasets that the answer depends on: those of its citations where a model that quotes wrote the answer and all of it is in
   * its citations, otherwise all datasets of the request.
   */
  @Answer.Uuids()
  dataset_ids!: string[];

  /**
   * How the answer ended. `stopped`: the reader disconnected before the end, or the service stopped. `failed`: an error occurred after the first
   * word.
   */
  @Answer.Choice(TURN_STATES)
  state!: TurnState;

  /** The answer; null where it is withheld. */
  @Answer.Nested(TurnAnswer, { nullable: true })
  answer!: TurnAnswer | null;

  /** Why the answer is withheld; null where it is shown. */
  @Answer.Nested(WithheldAnswer, { nullable: true })
  withheld!: WithheldAnswer | null;

  /** The caller's feedback (`POST /requests/{request_id}/feedback`); null where there is none. */
  @Answer.Nested(TurnFeedback, { nullable: true })
  feedback!: TurnFeedback | null;

  /** Link to the answer; null where it is not shared. */
  @Answer.Nested(AnswerShare, { nullable: true })
  share!: AnswerShare | null;
}

/** A conversation with turns. */
export class ConversationWithTurns extends Conversation {
  /** Turns, oldest first. */
  @Answer.NestedList(ConversationTurn)
  turns!: ConversationTurn[];

  /** Value to send as `before` to read the turns before these; null where there are none. */
  @Answer.Integer({ nullable: true, min: 1 })
  previous!: number | null;
}
