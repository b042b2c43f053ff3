import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { DocumentId, JsonObject, TenantId } from '#libs/common';
import { DocumentEntity } from '../../documents/index.js';
import { ScanRunEntity } from '../runs/scan-run.entity.js';
import type { FileReport } from './file-report.js';

/** A file of a precheck scan: a document that waits for ingestion, or a sample. */
@Entity('precheck_files')
@Index('precheck_files_document', ['document_id'])
export class PrecheckFileEntity {
  @Column('uuid')
  readonly tenant_id!: TenantId;

  @ForeignKey(() => ScanRunEntity, { name: 'precheck_files_scan_run_id_fkey', onDelete: 'CASCADE' })
  @PrimaryColumn('uuid')
  readonly scan_run_id!: string;

  @PrimaryColumn('integer')
  readonly position!: number;

  /** Null for a sample. */
  @ForeignKey(() => DocumentEntity, { name: 'precheck_files_document_id_fkey', onDelete: 'CASCADE' })
  @Column('uuid', { nullable: true })
  readonly document_id!: DocumentId | null;

  /** Name of a sample; the name of a document is read from the document. */
  @Column('text', { nullable: true })
  readonly name!: string | null;

  @Column('text')
  readonly media_type!: string;

  @Column('text', { nullable: true })
  readonly declared_media_type!: string | null;

  @Column('bigint')
  readonly size_bytes!: string;

  @Column('text')
  readonly sha256!: string;

  /** Storage key of a sample; null for a document, and after the sample was removed. */
  @Column('text', { nullable: true })
  readonly blob_key!: string | null;

  /** Null until the file was examined. */
  @Column('jsonb', { nullable: true })
  readonly report!: FileReport | null;
}

/** An event of a scan. */
@Entity('scan_events')
export class ScanEventEntity {
  @Column('uuid')
  readonly tenant_id!: TenantId;

  @ForeignKey(() => ScanRunEntity, { name: 'scan_events_scan_run_id_fkey', onDelete: 'CASCADE' })
  @PrimaryColumn('uuid')
  readonly scan_run_id!: string;

  /** From 1, without a gap. */
  @PrimaryColumn('integer')
  readonly seq!: number;

  @Column('text')
  readonly event!: string;

  @Column('jsonb')
  readonly data!: JsonObject;

  @Column('timestamp with time zone', { precision: 3, default: () => 'now()' })
  readonly created_at!: Date;
}
