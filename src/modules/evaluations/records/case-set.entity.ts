import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { AccountId, DatasetId, TenantId } from '#libs/common';
import type { EvaluationCase } from '../cases/evaluation-case.js';
import type { GenerationState } from '../cases/generation-state.js';

/** A reusable set of cases. Callers that do not see all its datasets do not see it. */
@Entity('evaluation_case_sets')
@Index('evaluation_case_sets_listed', { synchronize: false })
export class CaseSetEntity {
  @PrimaryColumn('uuid')
  readonly id!: string;

  @Column('uuid')
  readonly tenant_id!: TenantId;

  @Column('text')
  readonly name!: string;

  @Column('uuid', { array: true })
  readonly dataset_ids!: DatasetId[];

  @Column('integer')
  readonly version!: number;

  /** Without those that were made of documents. */
  @Column('integer')
  readonly case_count!: number;

  @Column('integer')
  readonly unapproved_count!: number;

  /** Null where a person brought the cases. */
  @Column('jsonb', { nullable: true })
  readonly generation!: GenerationState | null;

  @Column('uuid', { nullable: true })
  readonly task_id!: string | null;

  @Column('uuid', { nullable: true })
  readonly created_by!: AccountId | null;

  @Column('timestamp with time zone', { precision: 3, default: () => 'now()' })
  readonly created_at!: Date;

  @Column('timestamp with time zone', { precision: 3, default: () => 'now()' })
  readonly updated_at!: Date;
}

/** The cases of a set as they were at one version. */
@Entity('evaluation_case_set_versions')
export class CaseSetVersionEntity {
  @Column('uuid')
  readonly tenant_id!: TenantId;

  @ForeignKey(() => CaseSetEntity, { name: 'evaluation_case_set_versions_case_set_id_fkey', onDelete: 'CASCADE' })
  @PrimaryColumn('uuid')
  readonly case_set_id!: string;

  @PrimaryColumn('integer')
  readonly version!: number;

  /** Null in the place of a case that was generated from a document; such a case has a row of its own. */
  @Column('jsonb')
  readonly cases!: readonly (EvaluationCase | null)[];

  @Column('uuid', { nullable: true })
  readonly created_by!: AccountId | null;

  @Column('timestamp with time zone', { precision: 3, default: () => 'now()' })
  readonly created_at!: Date;
}
