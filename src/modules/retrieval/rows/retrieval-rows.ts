import type { ChunkId, ChunkSetId, DatasetId, DocumentId, JsonObject } from '#libs/common';

/** A chunk as it is shown. Offsets are bigint as text. */
export interface ShownChunkRow {
  readonly id: ChunkId;
  readonly document_id: DocumentId;
  readonly document_name: string;
  readonly document_path: string | null;
  readonly archive_id: DocumentId | null;
  readonly document_created_at: Date;
  readonly dataset_id: DatasetId;
  readonly ordinal: number;
  readonly body: string;
  readonly text_start: string;
  readonly text_end: string;
  readonly heading_path: readonly string[];
  readonly page: number | null;
  readonly page_end: number | null;
  readonly sheet: string | null;
  readonly row_number: number | null;
  readonly context?: string | null;
  readonly metadata: JsonObject;
  readonly policy_version: number;
  readonly revision: number;
  /** What is to be shown around the chunk, and a stretch of the canonical text, from `text_start`, that holds it; null when only the chunk is. */
  readonly around: {
    readonly start: number;
    readonly end: number;
    readonly text_start: number;
    readonly text: string;
  } | null;
}

/** `datasets.content_seq` by dataset, bigint as text. */
export type ContentSeqs = Readonly<Record<DatasetId, string>>;

/** Datasets at one moment. */
export interface DatasetsAtMoment {
  readonly contentSeqs: ContentSeqs;
  /** How many documents of all of them wait for their ingestion or are in it. */
  readonly pending: number;
}

/** Chunks as they were shown at one moment. */
export interface ShownChunks {
  readonly rows: readonly ShownChunkRow[];
  /** The datasets that were asked, at that moment; null where it was not read. */
  readonly datasets: DatasetsAtMoment | null;
}

/** A document of a dataset that changed, and what it shows now; null when it shows nothing. Numbers of PostgreSQL's bigint as text. */
export interface ChangedDocumentRow {
  readonly document_id: DocumentId;
  readonly chunk_set_id: ChunkSetId | null;
  readonly generation: string | null;
  /** `datasets.content_seq` of its latest visible change. */
  readonly changed_at: string;
  /** Number of its latest attempt, from 1. */
  readonly attempt: number;
  /** As it was recognised; null where it was not. */
  readonly language: string | null;
}

/** What a document shows: its chunk set, and the generation under which the store holds the chunks. */
export interface ShownSet {
  readonly set: ChunkSetId;
  readonly generation: string;
  /** `datasets.content_seq` of its latest visible change. */
  readonly changedAt: bigint;
  /** Number of its latest attempt, from 1. */
  readonly attempt: number;
  /** As it was recognised; null where it was not. */
  readonly language: string | null;
}

/** What a dataset shows at one moment, and what changed since another. */
export interface DatasetChanges {
  /** `datasets.content_seq` of that moment. */
  readonly seq: bigint;
  /** Documents that show a chunk set. */
  readonly visibleDocuments: number;
  readonly changed: readonly ChangedDocumentRow[];
}
