import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { AccountId, Brand, TenantId } from '#libs/common';
import { ConversationTurnEntity, type TurnId } from '../turn/conversation.entity.js';

export type SharedAnswerId = Brand<string, 'SharedAnswerId'>;

/** A link to one answer: anyone who in the tenant has it, and sees all that the answer was made of, reads question and answer. */
@Entity('shared_answers')
@Index('shared_answers_turn', ['turn_id'], { unique: true })
export class SharedAnswerEntity {
  /** Random in all its bits: it cannot be told from others, nor from when it was made. */
  @PrimaryColumn('uuid')
  readonly id!: SharedAnswerId;

  @Column('uuid')
  readonly tenant_id!: TenantId;

  @ForeignKey(() => ConversationTurnEntity, { name: 'shared_answers_turn_id_fkey', onDelete: 'CASCADE' })
  @Column('uuid')
  readonly turn_id!: TurnId;

  @Column('timestamp with time zone', { precision: 3, default: () => 'now()' })
  readonly created_at!: Date;

  /** The account of the conversation's owner. */
  @Column('uuid')
  readonly created_by!: AccountId;
}
