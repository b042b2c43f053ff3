import { ApiProperty } from '@nestjs/swagger';
import { Answer, PageOf } from '#libs/http';
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
import { FAILURE_CODE_LIST } from './failure-codes.js';

const STAGE_NAMES = [...INGESTION_STAGES, 'completed'] as const;
const FAILURE_CODE_MEANINGS = [
  'Stable code, for translations and for the filter `error_code`:',
  FAILURE_CODE_LIST,
  '',
  'Other codes: the code of an error that ended every try (`GET /errors`), or a code that a step of an extension defines.',
].join('\n');

/** Why a document failed. */
export class DocumentErrorDto {
  @ApiProperty({ type: String, example: 'ENCRYPTED', description: FAILURE_CODE_MEANINGS })
  code!: string;

  /** Stage in which the document failed. */
  @Answer.Choice(INGESTION_STAGES)
  stage!: IngestionStage;

  /** Whether a retry of the same file can succeed. */
  retryable!: boolean;
}

/** Something a reader of the document should know. */
export class DocumentWarningDto {
  /**
   * Stable code: `ZERO_CHUNKS` (nothing to search), `SCANNED_PAGES` (images without text), `LOW_TEXT_DENSITY` (very little text for the
   * pages or the size), `REPLACED_CHARACTERS` (U+FFFD in the text), `TRUNCATED` and `PARTIAL_CONTENT` (parts were left out),
   * `ENRICHMENT_FAILED` (some chunks have no line of `enrichment.context`), `ATTACHMENT_SKIPPED`, `CHARSET_UNCERTAIN` and `UNKNOWN_CHARSET`
   * (see `charset`), or a code of one format, for example `MALFORMED_CSV`, `FORMULAS_NOT_CALCULATED`, `HIDDEN_CELLS`, `HIDDEN_SLIDES`, `STRUCK_OUT_TEXT`, `GARBLED_TEXT`,
   * `CHARACTERS_LOST`, `VERTICAL_TEXT`, `TABLE_CELLS_LOOSE`, `TEXT_LAYER_DIFFERS`, `PAGES_FAILED`, `OCR_UNAVAILABLE`. `SAME_NAME`: another document of the
   * dataset had the same path or, without a path, the same name when this one was uploaded (`on_same_name`). `ARCHIVE_PARTS_FAILED`: files
   * of the archive failed; the detail gives the reasons of the first ten. For an archive, `ATTACHMENT_SKIPPED` names files whose bytes
   * cannot be read, and `ARCHIVE_PART_KEPT` names quarantined files that a new revision left unchanged. `ARCHIVE_STAYS_SPLIT`: the policy
   * treats archives as one text, but the files of this one stay documents of their own because one of them was deleted or is withheld.
   */
  code!: string;

  /** Meaning of the warning for this document. */
  detail!: string;

  /** Identifier of the other document, where the warning is about one (`SAME_NAME`). */
  @Answer.Uuid({ optional: true })
  document_id?: string;
}

/** Status of a document, without its other properties. */
export class DocumentStatus {
  /** Identifier of the document. */
  @Answer.Uuid()
  id!: string;

  /** Identifier of the dataset. */
  @Answer.Uuid()
  dataset_id!: string;

  /** Status of the document. `completed`, `failed`, `quarantined` and `cancelled` are terminal. */
  @Answer.Choice(DOCUMENT_STATUSES)
  status!: DocumentStatusName;

  /** Stage that runs, or that ran last. */
  @Answer.Choice(STAGE_NAMES)
  current_stage!: StageName;

  /**
   * Progress in percent; never decreases within an attempt, and is 100 only when completed. For an archive whose files are documents, the
   * share of the files whose ingestion has ended.
   */
  @Answer.Decimal({ min: 0, max: 100, example: 62.5 })
  processing_progress!: number;

  /** Why the document failed, in English, with the particulars of the file; null: it did not fail. */
  @Answer.Text({ nullable: true })
  error_message!: string | null;

  /** Why the document failed, with a stable code; null: it did not fail. */
  @Answer.Nested(DocumentErrorDto, { nullable: true })
  error!: DocumentErrorDto | null;

  /** Warnings: what the ingestion could not do well, without failing. */
  @Answer.NestedList(DocumentWarningDto)
  warnings!: DocumentWarningDto[];

  /**
   * Waiting reason: `queued` (waits for its turn), `provider_backoff`, `budget_exhausted`, `store_unavailable`, `storage_low` (no space),
   * `retry_backoff` or `worker_lost`; null: the document does not wait.
   */
  @Answer.Text({ nullable: true })
  waiting_reason!: string | null;

  /** Whether a search can find something of the document now; for an archive, something of one of its files. */
  searchable!: boolean;

  /** Number of the present attempt, from 1. */
  @Answer.Integer({ min: 1 })
  attempt!: number;

  /** Time of the last change. */
  @Answer.Instant()
  updated_at!: string;
}

/** A row of the document list. */
export class DocumentListItem extends DocumentStatus {
  /** File name. */
  name!: string;

  /** Folder and name of the file in the folder or archive that it comes from: `guides/setup/README.md`; null: the upload named no path. */
  @Answer.Text({ nullable: true, max: MAX_PATH_LENGTH })
  path!: string | null;

  /** Identifier of the archive that contains the document; null: it was uploaded on its own. */
  @Answer.Uuid({ nullable: true })
  archive_id!: string | null;

  /** Detected media type. */
  media_type!: string;

  /** Size of the file in bytes. */
  @Answer.Count()
  size_bytes!: number;

  /** SHA-256 of the file, hexadecimal. */
  sha256!: string;

  /** Tags. */
  @Answer.Texts()
  tags!: string[];

  /** Time of the upload. */
  @Answer.Instant()
  created_at!: string;
}

/** Everything about a document but its content. */
export class DocumentDetail extends DocumentListItem {
  /** Encoding with which the text was read; null for formats that have none. */
  @Answer.Text({ nullable: true })
  charset!: string | null;

  /** Main language of the text, BCP 47; null where it is not known. */
  @Answer.Text({ nullable: true })
  language!: string | null;

  /** Number of the latest revision, from 1. */
  @Answer.Integer({ min: 1 })
  revision!: number;

  /** Version of the ingestion policy under which the document was ingested. */
  @Answer.Integer({ min: 1 })
  policy_version!: number;

  /** Number of chunks that a search can return. */
  @Answer.Count()
  chunk_count!: number;

  /** Number of tokens of all chunks. */
  @Answer.Count()
  token_count!: number;

  /** Number of pages; null for formats that have none. */
  @Answer.Count({ nullable: true })
  page_count!: number | null;

  /**
   * Counts of what the parser found and kept. Keys of every format: `characters` (UTF-16 code units of the text) and
   * `replaced_characters` (U+FFFD among them). Where the format has them: `pages` (slides, too), `headings`, `tables`,
   * `table_rows`, `images_seen` and `images_extracted`, `attachments_seen` and `attachments_extracted`,
   * `charset_confidence` (0 to 1), `skipped` (what was left out and where, in words). Formats add counts of their own.
   */
  @Answer.Json()
  fidelity!: Record<string, unknown>;

  /** Metadata that callers gave the document. */
  @Answer.Json()
  metadata!: Record<string, unknown>;

  /** Identifier of the account that uploaded the document. */
  @Answer.Uuid()
  created_by!: string;

  /** Start of processing; null: not started. */
  @Answer.Instant({ nullable: true })
  started_at!: string | null;

  /** End of processing; null: not ended. */
  @Answer.Instant({ nullable: true })
  completed_at!: string | null;
}

/** A page of documents. */
export class DocumentPage extends PageOf(DocumentListItem, {
  items: 'The documents of this page.',
  total: 'Total number of documents that match.',
  rows: 'documents',
}) {
  /** Cursor of the next page, for `after`; null: this is the last page. */
  @Answer.Text({ nullable: true })
  next!: string | null;
}

/** One processing event. */
export class TimelineEntry {
  /** Name of the event. */
  @Answer.Choice(DOCUMENT_EVENTS)
  event!: DocumentEventName;

  /** Stage of the event; null: it belongs to none. */
  @Answer.Choice(INGESTION_STAGES, { nullable: true })
  stage!: IngestionStage | null;

  /** Time of the event. */
  @Answer.Instant()
  timestamp!: string;

  /** Facts of the event. */
  @Answer.Json()
  details!: Record<string, unknown>;
}

/** Processing events of a document, oldest first. */
export class DocumentTimelineResponse {
  /** Identifier of the document. */
  @Answer.Uuid()
  document_id!: string;

  /** The events. */
  @Answer.NestedList(TimelineEntry)
  items!: TimelineEntry[];

  /** Number of events. */
  @Answer.Count()
  total!: number;
}

/** Position of a chunk in its document. Offsets are UTF-16 code units of the canonical text. */
export class ChunkPosition {
  /** Page on which the chunk begins, from 1; null for formats without pages. */
  @Answer.Integer({ nullable: true, min: 1 })
  page!: number | null;

  /**
   * Page on which the chunk ends, mostly the same as `page`; null for formats without pages, and for a chunk made before this was recorded
   * (a reingest records it).
   */
  @Answer.Integer({ nullable: true, min: 1 })
  page_end!: number | null;

  /** Offset of the first code unit. */
  @Answer.Count()
  char_start!: number;

  /** Offset just after the last code unit. */
  @Answer.Count()
  char_end!: number;

  /** Headings above the chunk, outermost first. */
  @Answer.Texts()
  heading_path!: string[];

  /** Name of the sheet; null where the document is no workbook. */
  @Answer.Text({ nullable: true })
  sheet!: string | null;

  /** Number of the first table row; null where the chunk is not of a table. */
  @Answer.Count({ nullable: true })
  row!: number | null;
}

/** A chunk of a document. */
export class DocumentChunk {
  /** Identifier of the chunk. */
  @Answer.Uuid()
  chunk_id!: string;

  /** Number of the chunk within the document, from 0. */
  @Answer.Count()
  ordinal!: number;

  /** The canonical text between the offsets. */
  text!: string;

  /**
   * A line that a chat model wrote about the place of the chunk in its document (`enrichment.context`). Searches use it; it is no part of
   * the text. Null: there is none.
   */
  @Answer.Text({ nullable: true })
  context!: string | null;

  /** Estimated number of tokens. */
  @Answer.Count()
  token_count!: number;

  /** Position of the chunk in the document. */
  position!: ChunkPosition;
}

/** A page of a document's chunks, in the order of the text. */
export class DocumentChunkPage extends PageOf(DocumentChunk, {
  items: 'The chunks of this page.',
  total: 'Total number of chunks.',
  rows: 'chunks',
}) {}
