import type { AccountId, ChunkSetId, DatasetId, DocumentId, JsonObject, RevisionId, TenantId } from '#libs/common';

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

/** A row of `documents`. */
export interface DocumentRow {
  readonly id: DocumentId;
  readonly tenant_id: TenantId;
  readonly dataset_id: DatasetId;
  readonly name: string;
  readonly media_type: string;
  readonly declared_media_type: string | null;
  readonly size_bytes: string;
  readonly sha256: string;
  readonly status: DocumentStatusName;
  readonly current_stage: StageName;
  readonly progress: number;
  readonly error: DocumentFailure | null;
  readonly warnings: readonly DocumentWarning[];
  readonly waiting_reason: string | null;
  readonly attempt: number;
  readonly fencing_token: string | null;
  readonly policy_version: number;
  readonly revision: number;
  readonly revision_id: RevisionId;
  /** Version of the ingestion policy that the shown chunks were made with; null: `policy_version`. */
  readonly ingested_policy_version: number | null;
  /** Revision whose chunks are shown; null: none, or `revision` where it was ingested before revisions were told apart. */
  readonly visible_revision: number | null;
  readonly visible_revision_id: RevisionId | null;
  /** Grows with every change of name, metadata or tags; `stored_metadata_seq` is the one that the vector store's rows carry. */
  readonly metadata_seq: string;
  readonly stored_metadata_seq: string;
  readonly visible_generation: string | null;
  readonly visible_chunk_set_id: ChunkSetId | null;
  readonly charset: string | null;
  readonly language: string | null;
  readonly chunk_count: number;
  readonly token_count: string;
  readonly page_count: number | null;
  readonly fidelity: JsonObject;
  readonly metadata: JsonObject;
  readonly tags: readonly string[];
  readonly created_by: AccountId;
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly started_at: Date | null;
  readonly completed_at: Date | null;
  readonly quarantined_at: Date | null;
}

/** A row of `document_events`. */
export interface DocumentEventRow {
  readonly event: DocumentEventName;
  readonly stage: IngestionStage | null;
  readonly details: JsonObject;
  readonly created_at: Date;
}

/** A row of `chunks` as the chunk list shows it. */
export interface ChunkRow {
  readonly id: string;
  readonly ordinal: number;
  readonly text_start: string;
  readonly text_end: string;
  readonly body: string;
  readonly token_count: number;
  readonly heading_path: readonly string[];
  readonly page: number | null;
  /** Null too for a chunk with a page that was made before this was kept. */
  readonly page_end: number | null;
  readonly sheet: string | null;
  readonly row_number: number | null;
}
