import { Answer, Choice, ListQueryDto } from '#libs/http';
import { TURN_STATES, type TurnState } from '../turn/conversation.entity.js';
import { TurnAnswer } from './turn-answer.dto.js';
import { WithheldAnswer } from './withheld-answer.dto.js';

/** A link to an answer. */
export class AnswerShare {
  /** Identifier of the shared answer, for `GET /shared-answers/{id}` and `/answers/{id}` of the console. */
  @Answer.Uuid()
  id!: string;

  /** Time at which the link was made. */
  @Answer.Instant()
  created_at!: string;
}

/** Where a shared answer is kept. */
export class SharedAnswerOrigin {
  /** Identifier of the conversation. */
  @Answer.Uuid()
  conversation_id!: string;

  /** Identifier of the turn. */
  @Answer.Uuid()
  turn_id!: string;
}

/** A question with its answer, as other members than the one who asked see it. */
export class SharedAnswer extends AnswerShare {
  /** The question as it was asked. */
  question!: string;

  /** Time at which the question was asked. */
  @Answer.Instant()
  asked_at!: string;

  /** Time at which the answer ended. */
  @Answer.Instant()
  answered_at!: string;

  /** Model that answered, as in `GET /models`. */
  model!: string;

  /** Identifiers of the datasets that the answer depends on, as in `GET /conversations/{conversation_id}`. */
  @Answer.Uuids()
  dataset_ids!: string[];

  /**
   * How the answer ended. `stopped`: the reader disconnected before the end, or the service stopped. `failed`: an error occurred after the first
   * word.
   */
  @Answer.Choice(TURN_STATES)
  state!: TurnState;

  /** The answer. */
  @Answer.Nested(TurnAnswer)
  answer!: TurnAnswer;

  /** For the member who shared it: conversation and turn of the answer, where the link can be revoked. null for other members. */
  @Answer.Nested(SharedAnswerOrigin, { nullable: true })
  own!: SharedAnswerOrigin | null;
}

export const SHARED_ANSWER_ORDERS = ['-created_at', 'created_at'] as const;
export type SharedAnswerOrder = (typeof SHARED_ANSWER_ORDERS)[number];

/** Order and place of a page of shared answers. */
export class ListSharedAnswersQuery extends ListQueryDto {
  /** Order of the rows; a minus sign means descending. */
  @Choice(SHARED_ANSWER_ORDERS, { query: true, default: '-created_at' })
  order_by: SharedAnswerOrder = '-created_at';
}

/** An answer that the caller has shared. */
export class OwnSharedAnswer extends AnswerShare {
  /** The question as it was asked. */
  question!: string;

  /** Identifier of the conversation. */
  @Answer.Uuid()
  conversation_id!: string;

  /** Name of the conversation; null: it has none. */
  @Answer.Text({ nullable: true })
  conversation_title!: string | null;

  /** Identifier of the turn; together with `conversation_id` the path at which the link is revoked. */
  @Answer.Uuid()
  turn_id!: string;

  /** Time at which the link ends, since the conversation is removed then unless it is continued before. */
  @Answer.Instant()
  expires_at!: string;

  /** Why the link currently shows no answer, not even to its owner; null while it shows the answer. */
  @Answer.Nested(WithheldAnswer, { nullable: true })
  withheld!: WithheldAnswer | null;
}

/** A page of answers that the caller has shared. */
export class OwnSharedAnswerPage {
  /** The shared answers of this page. */
  @Answer.NestedList(OwnSharedAnswer)
  items!: OwnSharedAnswer[];

  /** Total number of answers that the caller has shared. */
  @Answer.Count()
  total!: number;

  /** Number of rows left out at the beginning. */
  @Answer.Count()
  skip!: number;

  /** Maximum number of rows. */
  @Answer.Integer({ min: 1 })
  limit!: number;
}
