import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { AccountId, DatasetId, DocumentId, TenantId } from '#libs/common';
import { DatasetEntity } from '../../datasets/index.js';

export const RESCAN_STATUSES = ['pending', 'running', 'completed', 'failed', 'cancelled'] as const;
export type RescanStatus = (typeof RESCAN_STATUSES)[number];

/** Why a rescan failed. */
export interface RescanFailure {
  readonly code: string;
  readonly message: string;
}

/** A search for sensitive content in all documents of a dataset, with its progress. Its results are among the findings. */
@Entity('governance_rescans')
@Index('governance_rescans_listed', { synchronize: false })
@Index('governance_rescans_open', { synchronize: false })
@Check('governance_rescans_status_check', "status IN ('pending', 'running', 'completed', 'failed', 'cancelled')")
export class RescanEntity {
  @PrimaryColumn('uuid')
  readonly id!: string;

  @Column('uuid')
  readonly tenant_id!: TenantId;

  @ForeignKey(() => DatasetEntity, { name: 'governance_rescans_dataset_id_fkey', onDelete: 'CASCADE' })
  @Column('uuid')
  readonly dataset_id!: DatasetId;

  @Column('text', { default: 'pending' })
  readonly status!: RescanStatus;

  /** The background task; null only until both rows are written. */
  @Column('uuid', { nullable: true })
  readonly task_id!: string | null;

  /** The last inspected document, in the order of ids; another try continues after it. */
  @Column('uuid', { nullable: true })
  readonly last_document_id!: DocumentId | null;

  @Column('integer', { default: 0 })
  readonly done!: number;

  @Column('integer', { nullable: true })
  readonly total!: number | null;

  @Column('jsonb', { nullable: true })
  readonly error!: RescanFailure | null;

  @Column('uuid', { nullable: true })
  readonly requested_by!: AccountId | null;

  @Column('timestamp with time zone', { precision: 3, default: () => 'now()' })
  readonly created_at!: Date;

  @Column('timestamp with time zone', { precision: 3, nullable: true })
  readonly started_at!: Date | null;

  @Column('timestamp with time zone', { precision: 3, nullable: true })
  readonly ended_at!: Date | null;
}
