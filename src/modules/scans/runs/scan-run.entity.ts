import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { AccountId, DatasetId, DocumentId, JsonObject, TenantId } from '#libs/common';
import { DatasetEntity } from '../../datasets/index.js';
import { DocumentEntity } from '../../documents/index.js';

export const SCAN_KINDS = ['profile', 'precheck'] as const;
export type ScanKind = (typeof SCAN_KINDS)[number];

export const SCAN_STATUSES = ['pending', 'running', 'completed', 'failed', 'cancelled'] as const;
export type ScanStatus = (typeof SCAN_STATUSES)[number];

/** Progress of a scan. */
export interface ScanProgress {
  readonly done: number;
  readonly total: number;
}

/** Why a scan failed. */
export interface ScanFailure {
  readonly code: string;
  readonly message: string;
}

/** A scan of a dataset: its configuration, progress and results. */
@Entity('scan_runs')
@Index('scan_runs_listed', { synchronize: false })
@Index('scan_runs_open', { synchronize: false })
@Check('scan_runs_kind_check', "kind IN ('profile', 'precheck')")
@Check('scan_runs_status_check', "status IN ('pending', 'running', 'completed', 'failed', 'cancelled')")
export class ScanRunEntity {
  @PrimaryColumn('uuid')
  readonly id!: string;

  @Column('uuid')
  readonly tenant_id!: TenantId;

  @ForeignKey(() => DatasetEntity, { name: 'scan_runs_dataset_id_fkey', onDelete: 'CASCADE' })
  @Column('uuid')
  readonly dataset_id!: DatasetId;

  @Column('text')
  readonly kind!: ScanKind;

  @Column('text', { default: 'pending' })
  readonly status!: ScanStatus;

  /** The background task; null only until both rows are written. */
  @Column('uuid', { nullable: true })
  readonly task_id!: string | null;

  @Column('jsonb')
  readonly config!: JsonObject;

  @Column('jsonb', { default: {} })
  readonly progress!: Partial<ScanProgress>;

  /** Results; they name documents only by their ids. */
  @Column('jsonb', { nullable: true })
  readonly result!: JsonObject | null;

  @Column('jsonb', { nullable: true })
  readonly error!: ScanFailure | null;

  @Column('uuid', { nullable: true })
  readonly requested_by!: AccountId | null;

  @Column('timestamp with time zone', { precision: 3, default: () => 'now()' })
  readonly created_at!: Date;

  @Column('timestamp with time zone', { precision: 3, nullable: true })
  readonly started_at!: Date | null;

  @Column('timestamp with time zone', { precision: 3, nullable: true })
  readonly ended_at!: Date | null;
}

/** Data of a running profile scan about a document. */
@Entity('scanned_documents')
@Index('scanned_documents_document', ['document_id'])
export class ScannedDocumentEntity {
  @Column('uuid')
  readonly tenant_id!: TenantId;

  @ForeignKey(() => ScanRunEntity, { name: 'scanned_documents_scan_run_id_fkey', onDelete: 'CASCADE' })
  @PrimaryColumn('uuid')
  readonly scan_run_id!: string;

  @ForeignKey(() => DocumentEntity, { name: 'scanned_documents_document_id_fkey', onDelete: 'CASCADE' })
  @PrimaryColumn('uuid')
  readonly document_id!: DocumentId;

  @Column('jsonb')
  readonly facts!: JsonObject;

  /** 120 numbers of 32 bits, little-endian; null for a document without words. */
  @Column('bytea', { nullable: true })
  readonly signature!: Buffer | null;
}
