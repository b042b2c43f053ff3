import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { AccountId, ChunkSetId, DatasetId, DocumentId, JsonObject, RevisionId, TenantId } from '#libs/common';
import { DatasetEntity } from '../../datasets/index.js';

/**
 * The revision whose text a document `d` shows, as SQL. Not `coalesce`: PostgreSQL does not take that for safe below row-level security, and
 * would compare it only after the tenant, row by row of the whole table, where an index is there.
 */
export const TEXT_REVISION = `CASE WHEN d.visible_revision_id IS NULL THEN d.revision_id ELSE d.visible_revision_id END`;

export const DOCUMENT_STATUSES = ['pending', 'processing', 'completed', 'failed', 'quarantined', 'cancelled'] as const;
export type DocumentStatusName = (typeof DOCUMENT_STATUSES)[number];

export const INGESTION_STAGES = ['parsing', 'chunking', 'embedding', 'vector_write'] as const;
/** A stage that does work. */
export type IngestionStage = (typeof INGESTION_STAGES)[number];
/** What `current_stage` shows: a working stage, or `completed`. */
export type StageName = IngestionStage | 'completed';

export const DOCUMENT_EVENTS = [
  'created',
  'queued',
  'stage_started',
  'stage_completed',
  'checkpoint_resumed',
  'provider_backoff',
  'warning',
  'completed',
  'failed',
  'cancelled',
  'retried',
  'reingest_requested',
  'quarantined',
  'released',
  'deleted',
] as const;
export type DocumentEventName = (typeof DOCUMENT_EVENTS)[number];

/** Code of the failure of a document that its policy does not take: for good, and the original file is removed after a day. */
export const REJECTED_BY_POLICY = 'REJECTED_BY_POLICY';

/** Why a document failed. */
export interface DocumentFailure {
  readonly code: string;
  readonly stage: IngestionStage;
  readonly retryable: boolean;
  readonly message: string;
}

export interface DocumentWarning {
  readonly code: string;
  readonly detail: string;
}

/** A row of `document_events`. */
export interface DocumentEventRow {
  readonly event: DocumentEventName;
  readonly stage: IngestionStage | null;
  readonly details: JsonObject;
  readonly created_at: Date;
}

/** A document. `policy_version` and `revision_id` are those of its latest attempt; what search shows may be older, and is named by the `visible_…` and `ingested_…` columns. */
@Entity('documents')
@Index('documents_archive', { synchronize: false })
@Index('documents_dataset', { synchronize: false })
@Index('documents_deleted', { synchronize: false })
@Index('documents_named', { synchronize: false })
@Index('documents_named_after', { synchronize: false })
@Index('documents_same_name', { synchronize: false })
@Index('documents_parts', { synchronize: false })
@Index('documents_sha', { synchronize: false })
@Index('documents_status', { synchronize: false })
@Index('documents_unsynced', { synchronize: false })
@Index('documents_visibility', ['dataset_id', 'visibility_seq'])
@Check(
  'documents_current_stage_check',
  "current_stage IN ('parsing', 'chunking', 'embedding', 'vector_write', 'completed')",
)
@Check(
  'documents_status_check',
  "status IN ('pending', 'processing', 'completed', 'failed', 'quarantined', 'cancelled')",
)
export class DocumentEntity {
  @PrimaryColumn('uuid')
  readonly id!: DocumentId;

  @Column('uuid')
  readonly tenant_id!: TenantId;

  @ForeignKey(() => DatasetEntity, { name: 'documents_dataset_id_fkey' })
  @Column('uuid')
  readonly dataset_id!: DatasetId;

  @Column('text')
  readonly name!: string;

  @Column('text')
  readonly media_type!: string;

  @Column('text', { nullable: true })
  readonly declared_media_type!: string | null;

  @Column('bigint')
  readonly size_bytes!: string;

  @Column('text')
  readonly sha256!: string;

  @Column('text')
  readonly status!: DocumentStatusName;

  @Column('text')
  readonly current_stage!: StageName;

  @Column('real', { default: 0 })
  readonly progress!: number;

  @Column('jsonb', { nullable: true })
  readonly error!: DocumentFailure | null;

  @Column('jsonb', { default: [] })
  readonly warnings!: readonly DocumentWarning[];

  @Column('text', { nullable: true })
  readonly waiting_reason!: string | null;

  /** Since when a model has refused or not answered without a vector having been made in between; null: it is not waited for. */
  @Column('timestamp with time zone', { precision: 3, nullable: true })
  readonly provider_waiting_since!: Date | null;

  @Column('integer', { default: 1 })
  readonly attempt!: number;

  @Column('bigint', { nullable: true })
  readonly fencing_token!: string | null;

  @Column('integer')
  readonly policy_version!: number;

  @Column('integer', { default: 1 })
  readonly revision!: number;

  @Column('uuid')
  readonly revision_id!: RevisionId;

  @Column('bigint', { nullable: true })
  readonly visible_generation!: string | null;

  @Column('uuid', { nullable: true })
  readonly visible_chunk_set_id!: ChunkSetId | null;

  @Column('bigint', { default: 0 })
  readonly visibility_seq!: string;

  @Column('text', { nullable: true })
  readonly charset!: string | null;

  @Column('text', { nullable: true })
  readonly language!: string | null;

  @Column('integer', { default: 0 })
  readonly chunk_count!: number;

  @Column('bigint', { default: 0 })
  readonly token_count!: string;

  @Column('integer', { nullable: true })
  readonly page_count!: number | null;

  @Column('jsonb', { default: {} })
  readonly fidelity!: JsonObject;

  @Column('jsonb', { default: {} })
  readonly metadata!: JsonObject;

  @Column('text', { array: true, default: [] })
  readonly tags!: readonly string[];

  @Column('uuid')
  readonly created_by!: AccountId;

  @Column('timestamp with time zone', { precision: 3, default: () => 'now()' })
  readonly created_at!: Date;

  @Column('timestamp with time zone', { precision: 3, default: () => 'now()' })
  readonly updated_at!: Date;

  @Column('timestamp with time zone', { precision: 3, nullable: true })
  readonly started_at!: Date | null;

  @Column('timestamp with time zone', { precision: 3, nullable: true })
  readonly completed_at!: Date | null;

  @Column('timestamp with time zone', { precision: 3, nullable: true })
  readonly quarantined_at!: Date | null;

  @Column('timestamp with time zone', { precision: 3, nullable: true })
  readonly deleted_at!: Date | null;

  /** Version of the ingestion policy that the shown chunks were made with; null: `policy_version`. */
  @Column('integer', { nullable: true })
  readonly ingested_policy_version!: number | null;

  /** Revision whose chunks are shown; null: none, or `revision` where it was ingested before revisions were told apart. */
  @Column('integer', { nullable: true })
  readonly visible_revision!: number | null;

  @Column('uuid', { nullable: true })
  readonly visible_revision_id!: RevisionId | null;

  /** Grows with every change of name, path, metadata or tags; `stored_metadata_seq` is the one that the vector store's rows carry. */
  @Column('bigint', { default: 0 })
  readonly metadata_seq!: string;

  @Column('bigint', { default: 0 })
  readonly stored_metadata_seq!: string;

  /** Where it lies in the folder that it comes from, with its file's name at the end; parts are joined by `/`. Null when its upload named none. */
  @Column('text', { nullable: true })
  readonly path!: string | null;

  /** The other document of the dataset that had its name when it was uploaded; null: there was none, it is deleted, or one of them has another name since. */
  @Column('uuid', { nullable: true })
  readonly same_name_id!: DocumentId | null;

  /** Of its path, or of its name where it has none; the database writes it. */
  @Column('bigint', { nullable: true })
  readonly name_hash!: string | null;

  /** The archive that it is a file of; null: it was uploaded by itself. */
  @Column('uuid', { nullable: true })
  readonly archive_id!: DocumentId | null;

  /** The revision of an archive that its files were made of. Null: it is no archive, or an archive whose files are one text. */
  @Column('uuid', { nullable: true })
  readonly split_revision_id!: RevisionId | null;

  /** How many files of an archive a search can find now. */
  @Column('integer', { default: 0 })
  readonly searchable_parts!: number;

  /** Files of an archive: all when they were last counted, those of them that have not ended, and those that failed; null: never counted, or no archive. */
  @Column('integer', { nullable: true }) readonly part_count!: number | null;
  @Column('integer', { nullable: true }) readonly open_parts!: number | null;
  @Column('integer', { nullable: true }) readonly failed_parts!: number | null;
}

/** A document as the service reads it. */
export type DocumentRow = Omit<DocumentEntity, 'deleted_at' | 'visibility_seq'>;
