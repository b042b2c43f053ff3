import { Check, Column, Entity, ForeignKey, PrimaryColumn, Unique } from 'typeorm';
import type { AccountId, DatasetId, DocumentId, TenantId } from '#libs/common';
import type { GraphEntityType } from '#libs/graph-extraction';
import { DatasetEntity } from '../datasets/index.js';

export const EXTRACTION_STATUSES = ['pending', 'running', 'completed', 'failed'] as const;
export type ExtractionStatus = (typeof EXTRACTION_STATUSES)[number];

/** Why an extraction failed. */
export interface ExtractionFailure {
  readonly code: string;
  readonly message: string;
}

/** The graph of a dataset, as far as somebody asked for it, and how far the extraction that was asked for last is. */
@Entity('kg_graphs')
@Unique('kg_graphs_dataset_id_key', ['dataset_id'])
@Check('kg_graphs_status_check', "status IN ('pending', 'running', 'completed', 'failed')")
export class KgGraphEntity {
  @PrimaryColumn('uuid')
  readonly id!: string;

  @Column('uuid')
  readonly tenant_id!: TenantId;

  @ForeignKey(() => DatasetEntity, { name: 'kg_graphs_dataset_id_fkey', onDelete: 'CASCADE' })
  @Column('uuid')
  readonly dataset_id!: DatasetId;

  @Column('text', { default: 'pending' })
  readonly status!: ExtractionStatus;

  @Column('text', { array: true })
  readonly entity_types!: readonly GraphEntityType[];

  /** Null: all documents. */
  @Column('uuid', { array: true, nullable: true })
  readonly document_ids!: readonly DocumentId[] | null;

  @Column('uuid', { nullable: true })
  readonly task_id!: string | null;

  /** The last document that was looked at, in the order of ids: a try goes on behind it. */
  @Column('uuid', { nullable: true })
  readonly last_document_id!: DocumentId | null;

  @Column('integer', { default: 0 })
  readonly done!: number;

  @Column('integer', { nullable: true })
  readonly total!: number | null;

  @Column('jsonb', { nullable: true })
  readonly error!: ExtractionFailure | null;

  @Column('uuid', { nullable: true })
  readonly requested_by!: AccountId | null;

  @Column('timestamp with time zone', { precision: 3, default: () => 'now()' })
  readonly created_at!: Date;

  @Column('timestamp with time zone', { precision: 3, default: () => 'now()' })
  readonly triggered_at!: Date;

  @Column('timestamp with time zone', { precision: 3, nullable: true })
  readonly ended_at!: Date | null;
}
