import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import type { AccountId, DatasetId, TenantId } from '#libs/common';
import { DatasetEntity } from '../../datasets/index.js';

/** A version of the ingestion policy of a dataset. The policy is stored as it was written: later fields are missing in older versions. */
@Entity('policy_versions')
export class PolicyVersionEntity {
  @Column('uuid')
  readonly tenant_id!: TenantId;

  @ForeignKey(() => DatasetEntity, { name: 'policy_versions_dataset_id_fkey', onDelete: 'CASCADE' })
  @PrimaryColumn('uuid')
  readonly dataset_id!: DatasetId;

  @PrimaryColumn('integer')
  readonly version!: number;

  @Column('text')
  readonly fingerprint!: string;

  @Column('uuid', { nullable: true })
  readonly author_id!: AccountId | null;

  @Column('text', { nullable: true })
  readonly comment!: string | null;

  /** Version that this one copies; null: it is no copy. */
  @Column('integer', { nullable: true })
  readonly source_version!: number | null;

  @Column('jsonb')
  readonly policy!: object;

  @Column('timestamp with time zone', { precision: 3, default: () => 'now()' })
  readonly created_at!: Date;

  /** Time at which it was removed from the list of versions; it is kept only for documents that were ingested under it. */
  @Column('timestamp with time zone', { precision: 3, nullable: true })
  readonly cleaned_up_at!: Date | null;
}

/** A version without tenant and dataset. */
export type PolicyVersionRow = Omit<PolicyVersionEntity, 'tenant_id' | 'dataset_id'>;
