import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { AccountId, ApiKeyId, Brand, DatasetId, DocumentId, TenantId } from '#libs/common';
import { ApiKeyEntity, MembershipEntity } from '../../accounts/index.js';
import { DocumentEntity } from '../../documents/index.js';
import type { StoredAnswer } from './stored-answer.js';

export type ConversationId = Brand<string, 'ConversationId'>;
export type TurnId = Brand<string, 'TurnId'>;

/** `stopped`: its reader left, or the service ended. `failed`: something went wrong after the first word. */
export const TURN_STATES = ['complete', 'stopped', 'failed'] as const;
export type TurnState = (typeof TURN_STATES)[number];

/** Questions and answers that the service stores for one account or API key. It is removed with the membership or the key. */
@Entity('conversations')
@ForeignKey(() => MembershipEntity, ['tenant_id', 'account_id'], ['tenant_id', 'account_id'], {
  name: 'conversations_member_fkey',
  onDelete: 'CASCADE',
})
@Index('conversations_listed', { synchronize: false })
@Index('conversations_of_key', { synchronize: false })
@Index('conversations_expiry', ['tenant_id', 'last_turn_at'])
export class ConversationEntity {
  @PrimaryColumn('uuid')
  readonly id!: ConversationId;

  @Column('uuid')
  readonly tenant_id!: TenantId;

  /** Null until a name is given or there is a first question. */
  @Column('text', { nullable: true })
  readonly title!: string | null;

  /** Place of the newest turn; places are not given twice. */
  @Column('integer', { default: 0 })
  readonly last_place!: number;

  @Column('timestamp with time zone', { precision: 3, default: () => 'now()' })
  readonly created_at!: Date;

  /** Of a conversation without turns when it was made. */
  @Column('timestamp with time zone', { precision: 3, default: () => 'now()' })
  readonly last_turn_at!: Date;

  @Column('uuid')
  readonly account_id!: AccountId;

  /** Null: it is the account's own. */
  @ForeignKey(() => ApiKeyEntity, { name: 'conversations_api_key_id_fkey', onDelete: 'CASCADE' })
  @Column('uuid', { nullable: true })
  readonly api_key_id!: ApiKeyId | null;
}

/** A question with its answer. */
@Entity('conversation_turns')
@Index('conversation_turns_place', ['conversation_id', 'place'], { unique: true })
@Index('conversation_turns_request', ['request_id'])
@Index('conversation_turns_unsure', { synchronize: false })
@Check('conversation_turns_state_check', "state IN ('complete', 'stopped', 'failed')")
export class ConversationTurnEntity {
  @PrimaryColumn('uuid')
  readonly id!: TurnId;

  @Column('uuid')
  readonly tenant_id!: TenantId;

  @ForeignKey(() => ConversationEntity, { name: 'conversation_turns_conversation_id_fkey', onDelete: 'CASCADE' })
  @Column('uuid')
  readonly conversation_id!: ConversationId;

  /** From 1. */
  @Column('integer')
  readonly place!: number;

  @Column('text')
  readonly request_id!: string;

  @Column('text')
  readonly question!: string;

  /** As in `GET /models`. */
  @Column('text')
  readonly model!: string;

  /** What was asked. */
  @Column('uuid', { array: true })
  readonly dataset_ids!: DatasetId[];

  /** Earlier turns of the conversation whose answers the model was given, and the turns that these answers in turn depend on. */
  @Column('uuid', { array: true, default: [] })
  readonly context_turn_ids!: TurnId[];

  @Column('text')
  readonly state!: TurnState;

  /** Null as soon as a document is deleted on which the answer, or an answer that it was given, rests. */
  @Column('jsonb', { nullable: true })
  readonly content!: StoredAnswer | null;

  /** A document that it was made of shows other chunks since it was looked at. */
  @Column('boolean', { default: false })
  readonly unsure!: boolean;

  @Column('timestamp with time zone', { precision: 3 })
  readonly asked_at!: Date;

  @Column('timestamp with time zone', { precision: 3, default: () => 'now()' })
  readonly answered_at!: Date;
}

/** Links an answer to a document on which it rests; a trigger removes the answer together with the document. */
@Entity('conversation_turn_documents')
@Index('conversation_turn_documents_turn', ['turn_id'])
export class ConversationTurnDocumentEntity {
  @Column('uuid')
  readonly tenant_id!: TenantId;

  @ForeignKey(() => DocumentEntity, { name: 'conversation_turn_documents_document_id_fkey', onDelete: 'CASCADE' })
  @PrimaryColumn('uuid')
  readonly document_id!: DocumentId;

  @ForeignKey(() => ConversationTurnEntity, { name: 'conversation_turn_documents_turn_id_fkey', onDelete: 'CASCADE' })
  @PrimaryColumn('uuid')
  readonly turn_id!: TurnId;
}
