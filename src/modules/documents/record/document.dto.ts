import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import {
  DOCUMENT_EVENTS,
  DOCUMENT_STATUSES,
  INGESTION_STAGES,
  type DocumentEventName,
  type DocumentStatusName,
  type IngestionStage,
  type StageName,
} from './document.entity.js';
import { MAX_PATH_LENGTH } from './document-path.js';

const STAGE_NAMES = [...INGESTION_STAGES, 'completed'] as const;
const COUNT = { type: 'integer', minimum: 0 } as const;
const NUMBER = { type: 'integer', minimum: 1 } as const;

/** Why a document failed. */
export class DocumentErrorDto {
  /** Stable code, for instance `EMPTY_FILE` or `ENCRYPTED`. */
  code!: string;

  /** Stage in which it failed. */
  @ApiProperty({ enum: INGESTION_STAGES })
  stage!: IngestionStage;

  /** Whether a retry of the same file can succeed. */
  retryable!: boolean;
}

/** Something a reader of the document should know. */
export class DocumentWarningDto {
  /**
   * Stable code: `ZERO_CHUNKS` (nothing to search), `SCANNED_PAGES` (images without text), `LOW_TEXT_DENSITY` (next to no
   * text for the pages or the size), `REPLACED_CHARACTERS` (U+FFFD in the text), `TRUNCATED` and `PARTIAL_CONTENT` (parts
   * were left out), `ENRICHMENT_FAILED` (how many chunks have no line of `enrichment.context`), `ATTACHMENT_SKIPPED`, `CHARSET_UNCERTAIN` and `UNKNOWN_CHARSET` (see `charset`), or a code of one format,
   * for instance `MALFORMED_CSV`, `FORMULAS_NOT_CALCULATED`, `HIDDEN_CELLS`, `GARBLED_TEXT`, `CHARACTERS_LOST`, `VERTICAL_TEXT`, `TEXT_LAYER_DIFFERS`, `PAGES_FAILED`, `OCR_UNAVAILABLE`. `SAME_NAME`: another document
   * of the dataset had the same path or, without a path, the same name when this one was uploaded (`on_same_name`).
   * `ARCHIVE_PARTS_FAILED`: files of the archive have failed, the first ten with their reasons; `ATTACHMENT_SKIPPED` of an archive names files that have no readable bytes, `ARCHIVE_PART_KEPT` quarantined ones that a new revision has left as they were. `ARCHIVE_STAYS_SPLIT`: the policy takes archives
   * for one text, and this one stays a folder because a file of it was deleted or is kept back.
   */
  code!: string;

  /** What it means for this document. */
  detail!: string;

  /** The other document, where the warning is about one (`SAME_NAME`). */
  @ApiPropertyOptional({ type: String, format: 'uuid' })
  document_id?: string;
}

/** The light view of a document's processing. */
export class DocumentStatus {
  /** The document. */
  @ApiProperty({ format: 'uuid' })
  id!: string;

  /** Its dataset. */
  @ApiProperty({ format: 'uuid' })
  dataset_id!: string;

  /** Main state. `completed`, `failed`, `quarantined` and `cancelled` are terminal. */
  @ApiProperty({ enum: DOCUMENT_STATUSES })
  status!: DocumentStatusName;

  /** Stage that runs, or that ran last. */
  @ApiProperty({ enum: STAGE_NAMES })
  current_stage!: StageName;

  /** Percent; never falls within an attempt, and is 100 only when completed. Of an archive whose files are documents: the share of those that have ended. */
  @ApiProperty({ minimum: 0, maximum: 100, example: 62.5 })
  processing_progress!: number;

  /** What went wrong, when it failed. */
  @ApiProperty({ type: String, nullable: true })
  error_message!: string | null;

  /** The same for programs. */
  @ApiProperty({ type: DocumentErrorDto, nullable: true })
  error!: DocumentErrorDto | null;

  /** Things worth knowing although it did not fail. */
  @ApiProperty({ type: [DocumentWarningDto] })
  warnings!: DocumentWarningDto[];

  /** What it waits for: `queued` (its turn), `provider_backoff`, `budget_exhausted`, `store_unavailable`, `storage_low` (space), `retry_backoff`, `worker_lost`. */
  @ApiProperty({ type: String, nullable: true })
  waiting_reason!: string | null;

  /** Whether a search can find it now; an archive, whether it can find one of its files. */
  searchable!: boolean;

  /** Number of the present attempt, from 1. */
  @ApiProperty(NUMBER)
  attempt!: number;

  /** Last change. */
  @ApiProperty({ format: 'date-time' })
  updated_at!: string;
}

/** A row of the document list. */
export class DocumentListItem extends DocumentStatus {
  /** File name. */
  name!: string;

  /** Where it lies in the folder or archive that it comes from, with its file's name at the end: `guides/setup/README.md`. Null when its upload named none. */
  @ApiProperty({ type: String, nullable: true, maxLength: MAX_PATH_LENGTH })
  path!: string | null;

  /** The archive that it is a file of, a document of its own; null: it was uploaded by itself. */
  @ApiProperty({ type: String, format: 'uuid', nullable: true })
  archive_id!: string | null;

  /** Detected media type. */
  media_type!: string;

  /** Size of the file in bytes. */
  @ApiProperty(COUNT)
  size_bytes!: number;

  /** SHA-256 of the file, hexadecimal. */
  sha256!: string;

  /** Tags. */
  @ApiProperty({ type: [String] })
  tags!: string[];

  /** When it was uploaded. */
  @ApiProperty({ format: 'date-time' })
  created_at!: string;
}

/** Everything about a document but its content. */
export class DocumentDetail extends DocumentListItem {
  /** Encoding that its text was read with; null for formats that have none. */
  @ApiProperty({ type: String, nullable: true })
  charset!: string | null;

  /** Main language of the text, BCP 47. */
  @ApiProperty({ type: String, nullable: true })
  language!: string | null;

  /** Number of the file's revision, from 1. */
  @ApiProperty(NUMBER)
  revision!: number;

  /** Version of the ingestion policy that it was ingested with. */
  @ApiProperty(NUMBER)
  policy_version!: number;

  /** Fragments that a search can return. */
  @ApiProperty(COUNT)
  chunk_count!: number;

  /** Sum of the fragments' tokens. */
  @ApiProperty(COUNT)
  token_count!: number;

  /** Pages, for formats that have them. */
  @ApiProperty({ type: 'integer', minimum: 0, nullable: true })
  page_count!: number | null;

  /**
   * What the parser saw and what it kept. Keys of every format: `characters` (UTF-16 code units of the text) and
   * `replaced_characters` (U+FFFD among them). Where the format has them: `pages` (slides, too), `headings`, `tables`,
   * `table_rows`, `images_seen` and `images_extracted`, `attachments_seen` and `attachments_extracted`,
   * `charset_confidence` (0 to 1), `skipped` (what was left out and where, in words). Formats add counts of their own.
   */
  @ApiProperty({ type: 'object', additionalProperties: true })
  fidelity!: Record<string, unknown>;

  /** Metadata of the uploader. */
  @ApiProperty({ type: 'object', additionalProperties: true })
  metadata!: Record<string, unknown>;

  /** Account that uploaded it. */
  @ApiProperty({ format: 'uuid' })
  created_by!: string;

  /** Start of processing. */
  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  started_at!: string | null;

  /** End of processing. */
  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  completed_at!: string | null;
}

/** A page of documents. */
export class DocumentPage {
  /** The documents of this page. */
  @ApiProperty({ type: [DocumentListItem] })
  items!: DocumentListItem[];

  /** How many match in all. */
  @ApiProperty(COUNT)
  total!: number;

  /** How many were left out at the beginning. */
  @ApiProperty(COUNT)
  skip!: number;

  /** How many there are at most. */
  @ApiProperty(COUNT)
  limit!: number;

  /** Where the next page begins: to be sent as `after`. Null: no document is behind this page. */
  @ApiProperty({ type: String, nullable: true })
  next!: string | null;
}

/** One processing event. */
export class TimelineEntry {
  /** What happened. */
  @ApiProperty({ enum: DOCUMENT_EVENTS })
  event!: DocumentEventName;

  /** Stage that it belongs to. */
  @ApiProperty({ enum: INGESTION_STAGES, nullable: true, type: String })
  stage!: IngestionStage | null;

  /** When. */
  @ApiProperty({ format: 'date-time' })
  timestamp!: string;

  /** Facts of the event. */
  @ApiProperty({ type: 'object', additionalProperties: true })
  details!: Record<string, unknown>;
}

/** Processing events of a document, oldest first. */
export class DocumentTimelineResponse {
  /** The document. */
  @ApiProperty({ format: 'uuid' })
  document_id!: string;

  /** The events. */
  @ApiProperty({ type: [TimelineEntry] })
  items!: TimelineEntry[];

  /** Number of events. */
  @ApiProperty(COUNT)
  total!: number;
}

/** Where a chunk stands in its document. Offsets are UTF-16 code units of the canonical text. */
export class ChunkPosition {
  /** Page on which it begins, from 1; null where there are no pages. */
  @ApiProperty({ type: 'integer', minimum: 1, nullable: true })
  page!: number | null;

  /**
   * Page on which it ends; the same as `page` for most. Null where there are no pages, and for a fragment that was made before
   * this was recorded (`POST /documents/batch/reingest` records it).
   */
  @ApiProperty({ type: 'integer', minimum: 1, nullable: true })
  page_end!: number | null;

  /** First code unit. */
  @ApiProperty(COUNT)
  char_start!: number;

  /** One past the last code unit. */
  @ApiProperty(COUNT)
  char_end!: number;

  /** Headings above it, outermost first. */
  @ApiProperty({ type: [String] })
  heading_path!: string[];

  /** Sheet of a workbook. */
  @ApiProperty({ type: String, nullable: true })
  sheet!: string | null;

  /** First row of a table. */
  @ApiProperty({ type: 'integer', minimum: 0, nullable: true })
  row!: number | null;
}

/** A fragment of a document. */
export class DocumentChunk {
  /** The chunk. */
  @ApiProperty({ format: 'uuid' })
  chunk_id!: string;

  /** Number within the document, from 0. */
  @ApiProperty(COUNT)
  ordinal!: number;

  /** Exactly the canonical text between the offsets. */
  text!: string;

  /**
   * A line about where it stands in its document, as a chat model wrote it (`enrichment.context`); searched, and no part of the text. Null
   * without.
   */
  @ApiProperty({ type: String, nullable: true })
  context!: string | null;

  /** Estimated tokens. */
  @ApiProperty(COUNT)
  token_count!: number;

  /** Where it stands. */
  position!: ChunkPosition;
}

/** A page of a document's chunks, in the order of the text. */
export class DocumentChunkPage {
  /** The chunks of this page. */
  @ApiProperty({ type: [DocumentChunk] })
  items!: DocumentChunk[];

  /** How many there are in all. */
  @ApiProperty(COUNT)
  total!: number;

  /** How many were left out at the beginning. */
  @ApiProperty(COUNT)
  skip!: number;

  /** How many there are at most. */
  @ApiProperty(COUNT)
  limit!: number;
}
