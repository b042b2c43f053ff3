import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { AccountId, ApiKeyId, DatasetId, TenantId } from '#libs/common';
import { ApiKeyEntity, MembershipEntity } from '../../accounts/index.js';
import { ConversationEntity, type ConversationId } from '../turn/conversation.entity.js';
import type { RefusalCode } from '../turn/refusals.js';

export const RATINGS = ['up', 'down'] as const;
export type Rating = (typeof RATINGS)[number];

/** Outcome of a question: a refusal, or the rating of its answer by the person who asked; a row has one of both. */
@Entity('question_outcomes')
@ForeignKey(() => MembershipEntity, ['tenant_id', 'account_id'], ['tenant_id', 'account_id'], {
  name: 'question_outcomes_member_fkey',
  onDelete: 'CASCADE',
})
@Index('question_outcomes_request', { synchronize: false })
@Index('question_outcomes_of_key', { synchronize: false })
@Index('question_outcomes_conversation', { synchronize: false })
@Index('question_outcomes_expiry', ['tenant_id', 'created_at'])
@Check('question_outcomes_rating_check', "rating IN ('up', 'down')")
@Check('question_outcomes_kind_check', 'num_nonnulls(refusal_code, rating) = 1')
export class QuestionOutcomeEntity {
  /** Of a rating the id of its row in the ledger of requests, so that there is one of each request. */
  @PrimaryColumn('uuid')
  readonly id!: string;

  @Column('uuid')
  readonly tenant_id!: TenantId;

  @Column('text')
  readonly request_id!: string;

  /** The conversation that it was asked in, with which it goes; null: in none. */
  @ForeignKey(() => ConversationEntity, { name: 'question_outcomes_conversation_id_fkey', onDelete: 'CASCADE' })
  @Column('uuid', { nullable: true })
  readonly conversation_id!: ConversationId | null;

  /** What was searched for. */
  @Column('text')
  readonly question!: string;

  /** The same for questions that differ in case, white space and marks at their end only. */
  @Column('text')
  readonly question_key!: string;

  @Column('text', { nullable: true })
  readonly refusal_code!: RefusalCode | null;

  @Column('text', { nullable: true })
  readonly rating!: Rating | null;

  @Column('text', { nullable: true })
  readonly reason!: string | null;

  /** What should have been answered. */
  @Column('text', { nullable: true })
  readonly expected!: string | null;

  @Column('timestamp with time zone', { precision: 3, default: () => 'now()' })
  readonly created_at!: Date;

  @Column('uuid')
  readonly account_id!: AccountId;

  @ForeignKey(() => ApiKeyEntity, { name: 'question_outcomes_api_key_id_fkey', onDelete: 'CASCADE' })
  @Column('uuid', { nullable: true })
  readonly api_key_id!: ApiKeyId | null;
}

/** That a question was asked of a dataset. */
@Entity('question_outcome_datasets')
@Index('question_outcome_datasets_outcome', ['outcome_id'])
export class QuestionOutcomeDatasetEntity {
  @Column('uuid')
  readonly tenant_id!: TenantId;

  /** It may be gone: then no one sees the question, until what follows the deletion of a dataset has removed it. */
  @PrimaryColumn('uuid')
  readonly dataset_id!: DatasetId;

  @ForeignKey(() => QuestionOutcomeEntity, { name: 'question_outcome_datasets_outcome_id_fkey', onDelete: 'CASCADE' })
  @PrimaryColumn('uuid')
  readonly outcome_id!: string;
}
