import { Check, Column, Entity, PrimaryColumn } from 'typeorm';
import type { AccountId, DatasetId, TenantId } from '#libs/common';

/** The receipt of a deletion or a purge of a dataset; it outlives the dataset. */
@Entity('dataset_deletions')
@Check('dataset_deletions_kind_check', "kind IN ('delete', 'purge')")
@Check('dataset_deletions_status_check', "status IN ('pending', 'running', 'completed', 'failed')")
export class DatasetDeletionEntity {
  @PrimaryColumn('uuid')
  readonly id!: string;

  @Column('uuid')
  readonly tenant_id!: TenantId;

  @Column('uuid')
  readonly dataset_id!: DatasetId;

  @Column('text')
  readonly kind!: 'delete' | 'purge';

  @Column('text')
  readonly status!: 'pending' | 'running' | 'completed' | 'failed';

  @Column('integer')
  readonly documents!: number;

  @Column('integer')
  readonly chunks!: number;

  @Column('integer')
  readonly blobs!: number;

  @Column('uuid', { nullable: true })
  readonly requested_by!: AccountId | null;

  @Column('timestamp with time zone', { precision: 3, default: () => 'now()' })
  readonly created_at!: Date;

  @Column('timestamp with time zone', { precision: 3, nullable: true })
  readonly completed_at!: Date | null;
}
