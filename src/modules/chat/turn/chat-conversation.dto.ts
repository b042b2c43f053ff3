import { Answer } from '#libs/http';

/** Where the answer was kept. */
export class ChatConversation {
  /** Identifier of the conversation. */
  @Answer.Uuid()
  id!: string;

  /** Identifier of the turn; null where the turn could not be kept: the conversation was deleted meanwhile, or the database did not respond. */
  @Answer.Uuid({ nullable: true })
  turn_id!: string | null;
}
