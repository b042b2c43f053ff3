import type { ChunkId, ChunkSetId, DatasetId, DocumentId } from '#libs/common';
import type { DocumentFailure, DocumentWarning, FilterFactsRow } from '../../documents/index.js';

/** What an explanation needs to know of a document in a dataset that the caller sees; deleted ones included. */
export interface ExplainedDocumentRow extends FilterFactsRow {
  readonly id: DocumentId;
  readonly dataset_id: DatasetId;
  readonly status: string;
  readonly current_stage: string;
  readonly error: DocumentFailure | null;
  readonly warnings: readonly DocumentWarning[];
  readonly waiting_reason: string | null;
  readonly visible_chunk_set_id: ChunkSetId | null;
  /** Bigint as text. */
  readonly visible_generation: string | null;
  /** The revision whose text is shown. */
  readonly text_revision_id: string;
  readonly deleted_at: Date | null;
  readonly quarantined_at: Date | null;
  /** Of the set that is shown; 0 when none is. */
  readonly visible_chunks: number;
}

/** A chunk and where it belongs, whether it is shown or not. Offsets are bigint as text. */
export interface ExplainedChunkRow {
  readonly id: ChunkId;
  readonly document_id: DocumentId;
  readonly chunk_set_id: ChunkSetId;
  readonly ordinal: number;
  readonly text_start: string;
  readonly text_end: string;
  readonly body: string;
}
