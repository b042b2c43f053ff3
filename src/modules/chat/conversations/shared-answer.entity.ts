import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { AccountId, Brand, TenantId } from '#libs/common';
import { ConversationTurnEntity, type TurnId } from '../turn/conversation.entity.js';

export type SharedAnswerId = Brand<string, 'SharedAnswerId'>;

/** A link to one answer. Every member of the tenant who has the link and sees everything that the answer rests on can read question and answer. */
@Entity('shared_answers')
@Index('shared_answers_turn', ['turn_id'], { unique: true })
export class SharedAnswerEntity {
  /** Completely random, so that it cannot be guessed from other ids or from the time of its creation. */
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
