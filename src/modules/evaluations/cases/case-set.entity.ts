import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { AccountId, DatasetId, TenantId } from '#libs/common';
import type { EvaluationCase } from './evaluation-case.js';

/** A set of cases that jobs can use again. Whoever does not see all its datasets does not see it. */
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

  @Column('integer')
  readonly case_count!: number;

  @Column('integer')
  readonly unapproved_count!: number;

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

  @Column('jsonb')
  readonly cases!: readonly EvaluationCase[];

  @Column('uuid', { nullable: true })
  readonly created_by!: AccountId | null;

  @Column('timestamp with time zone', { precision: 3, default: () => 'now()' })
  readonly created_at!: Date;
}
