import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { AccountId, ChunkSetId, DatasetId, DocumentId, JsonObject, RevisionId, TenantId } from '#libs/common';
import { DatasetEntity } from '../../datasets/index.js';

/**
 * The revision whose text a document `d` shows, as SQL. Not `coalesce`: under row-level security PostgreSQL does not consider that safe, so
 * instead of using the index it would compare row by row after the condition on the tenant.
 */
export const TEXT_REVISION = `CASE WHEN d.visible_revision_id IS NULL THEN d.revision_id ELSE d.visible_revision_id END`;

export const DOCUMENT_STATUSES = ['pending', 'processing', 'completed', 'failed', 'quarantined', 'cancelled'] as const;
export type DocumentStatusName = (typeof DOCUMENT_STATUSES)[number];

export const INGESTION_STAGES = ['parsing', 'chunking', 'embedding', 'vector_write'] as const;
/** A stage in which work is done. */
export type IngestionStage = (typeof INGESTION_STAGES)[number];
/** Value of `current_stage`: a stage, or `completed`. */
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

/** Failure code of a document that its policy rejects; it cannot be retried, and its original is removed after a day. */
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

/**
 * A document. `policy_version` and `revision_id` are those of its latest attempt; the shown generation may be older: the columns
 * `visible_…` and `ingested_…` describe it.
 */
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

  /** Time since which a model has refused or not answered without making a vector in between; null: no model is waited for. */
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

  /** Version of the ingestion policy under which the shown chunks were made; null: the same as `policy_version`. */
  @Column('integer', { nullable: true })
  readonly ingested_policy_version!: number | null;

  /**
   * Number of the revision whose chunks are shown; null: none are shown, or `revision` if the document was ingested before this column
   * existed.
   */
  @Column('integer', { nullable: true })
  readonly visible_revision!: number | null;

  @Column('uuid', { nullable: true })
  readonly visible_revision_id!: RevisionId | null;

  /**
   * Increases with every change of name, path, metadata or tags; `stored_metadata_seq` is the value that the rows in the vector store
   * correspond to.
   */
  @Column('bigint', { default: 0 })
  readonly metadata_seq!: string;

  @Column('bigint', { default: 0 })
  readonly stored_metadata_seq!: string;

  /**
   * Path of the file within the folder that it comes from, ending with the file name; parts are joined by `/`. Null: its upload named no
   * path.
   */
  @Column('text', { nullable: true })
  readonly path!: string | null;

  /**
   * The other document of the dataset that had the same name when this one was uploaded; null: there was none, it was deleted, or one of
   * the two has been renamed since.
   */
  @Column('uuid', { nullable: true })
  readonly same_name_id!: DocumentId | null;

  /** Digest of the path, or of the name if there is no path; the database writes it. */
  @Column('bigint', { nullable: true })
  readonly name_hash!: string | null;

  /** The archive that contains the document; null: it was uploaded on its own. */
  @Column('uuid', { nullable: true })
  readonly archive_id!: DocumentId | null;

  /** The revision of an archive from which its files were made; null: no archive, or an archive that is one text. */
  @Column('uuid', { nullable: true })
  readonly split_revision_id!: RevisionId | null;

  /** Number of files of an archive that a search can find now. */
  @Column('integer', { default: 0 })
  readonly searchable_parts!: number;

  /**
   * Numbers of files of an archive: all as last counted, those whose ingestion has not ended, and those that failed; null: never counted,
   * or no archive.
   */
  @Column('integer', { nullable: true }) readonly part_count!: number | null;
  @Column('integer', { nullable: true }) readonly open_parts!: number | null;
  @Column('integer', { nullable: true }) readonly failed_parts!: number | null;
}

/** A document as repositories return it. */
export type DocumentRow = Omit<DocumentEntity, 'deleted_at' | 'visibility_seq'>;
