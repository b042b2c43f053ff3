import type { GraphEntityType } from '../../ingestion-policy/index.js';
import { Check, Column, Entity, ForeignKey, PrimaryColumn, Unique } from 'typeorm';
import type { AccountId, DatasetId, DocumentId, TenantId } from '#libs/common';
import { DatasetEntity } from '../../datasets/index.js';

export const EXTRACTION_STATUSES = ['pending', 'running', 'completed', 'incomplete', 'failed'] as const;
export type ExtractionStatus = (typeof EXTRACTION_STATUSES)[number];

export const EXTRACTION_MODES = ['heuristic', 'llm'] as const;
export type ExtractionMode = (typeof EXTRACTION_MODES)[number];

/** Remaining work of an extraction that ended early, at the time of its end. */
export interface RemainingWork {
  readonly documents: number;
  readonly chunks: number;
}

/** Numbers of omissions by part and reason: `chunk.malformed`, `entity.not_in_text`. */
export type SkippedCounts = Readonly<Record<string, number>>;

/** Why an extraction failed, or ended early. */
export interface ExtractionFailure {
  readonly code: string;
  readonly message: string;
}

/** The graph of a dataset with the request and the progress of its latest extraction. */
@Entity('kg_graphs')
@Check('kg_graphs_mode_check', "mode IN ('heuristic', 'llm')")
@Unique('kg_graphs_dataset_id_key', ['dataset_id'])
@Check('kg_graphs_status_check', "status IN ('pending', 'running', 'completed', 'incomplete', 'failed')")
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

  @Column('text', { default: 'heuristic' })
  readonly mode!: ExtractionMode;

  /** Provider and model; null by rules. */
  @Column('text', { nullable: true })
  readonly model!: string | null;

  /** Null: no bound but those of the tenant. */
  @Column('bigint', { nullable: true })
  readonly budget_tokens!: string | null;

  /** Reserved for calls that have not ended, or whose process ended. */
  @Column('bigint', { default: 0 })
  readonly reserved_tokens!: string;

  @Column('integer', { default: 0 })
  readonly calls!: number;

  @Column('bigint', { default: 0 })
  readonly input_tokens!: string;

  @Column('bigint', { default: 0 })
  readonly output_tokens!: string;

  @Column('double precision', { default: 0 })
  readonly cost!: number;

  /** Number of passages whose answer was stored already. */
  @Column('integer', { default: 0 })
  readonly cached_chunks!: number;

  @Column('jsonb', { default: {} })
  readonly skipped!: SkippedCounts;

  @Column('jsonb', { nullable: true })
  readonly remaining!: RemainingWork | null;

  /** Time since which the provider asks for a pause; null while it answers. */
  @Column('timestamp with time zone', { precision: 3, nullable: true })
  readonly waiting_since!: Date | null;

  /** Null: all documents. */
  @Column('uuid', { array: true, nullable: true })
  readonly document_ids!: readonly DocumentId[] | null;

  @Column('uuid', { nullable: true })
  readonly task_id!: string | null;

  /** The last document that was looked at, in the order of ids; a try continues behind it. */
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
