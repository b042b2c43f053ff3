import { ApiProperty } from '@nestjs/swagger';

/** Where the answer was kept. */
export class ChatConversation {
  /** Identifier of the conversation. */
  @ApiProperty({ format: 'uuid' })
  id!: string;

  /** Identifier of the turn; null where the turn could not be kept: the conversation was deleted meanwhile, or the database did not respond. */
  @ApiProperty({ type: String, format: 'uuid', nullable: true })
  turn_id!: string | null;
}
