import type { ChunkId, ChunkSetId, DatasetId, DocumentId, JsonObject } from '#libs/common';

/** Where a chunk belongs; never changes under its id. */
export interface ChunkPlaceRow {
  readonly id: ChunkId;
  readonly document_id: DocumentId;
  readonly chunk_set_id: ChunkSetId;
  readonly ordinal: number;
}

/** What a document that the caller sees shows now. */
export interface ShowingDocumentRow {
  readonly id: DocumentId;
  readonly dataset_id: DatasetId;
  readonly visible_chunk_set_id: ChunkSetId;
  /** The generation under which the store holds the visible chunks; bigint as text. */
  readonly visible_generation: string;
  /** `datasets.content_seq` of its latest visible change; bigint as text. */
  readonly visibility_seq: string;
  /** Number of its latest attempt, from 1. */
  readonly attempt: number;
}

/** A chunk as it is shown. Offsets are bigint as text. */
export interface ShownChunkRow {
  readonly id: ChunkId;
  readonly document_id: DocumentId;
  readonly document_name: string;
  readonly dataset_id: DatasetId;
  readonly ordinal: number;
  readonly body: string;
  readonly text_start: string;
  readonly text_end: string;
  readonly heading_path: readonly string[];
  readonly page: number | null;
  readonly sheet: string | null;
  readonly row_number: number | null;
  readonly metadata: JsonObject;
  readonly policy_version: number;
  readonly revision: number;
}

/** A document of a dataset that changed, and the chunk set that it shows now; null when it shows none. */
export interface ChangedDocumentRow {
  readonly document_id: DocumentId;
  readonly chunk_set_id: ChunkSetId | null;
}

/** What a dataset shows at one moment, and what changed since another. */
export interface DatasetChanges {
  /** `datasets.content_seq` of that moment. */
  readonly seq: bigint;
  /** Documents that show a chunk set. */
  readonly visibleDocuments: number;
  readonly changed: readonly ChangedDocumentRow[];
}
