import { ApiProperty } from '@nestjs/swagger';

/** Where the answer was kept. */
export class ChatConversation {
  /** The conversation. */
  @ApiProperty({ format: 'uuid' })
  id!: string;

  /** The turn; null where it could not be kept: the conversation was deleted meanwhile, or the database did not answer. */
  @ApiProperty({ type: String, format: 'uuid', nullable: true })
  turn_id!: string | null;
}
