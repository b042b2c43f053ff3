import { DiscoveryService } from '@nestjs/core';
import type { ChunkId, DatasetId, DocumentId, JsonObject, RevisionId } from '#libs/common';
import type { ObjectKey } from '#libs/object-storage';
import type { RequestContext } from '#libs/tenancy';
import type { Chunk, TextSegment } from '#libs/text';
import type { IngestionPolicy } from '../../ingestion-policy/index.js';

/** Position of a step among the stages. Its duration counts as part of the stage before it: parsing, chunking or vector_write. */
export type StepPosition = 'after_parsing' | 'after_chunking' | 'before_switch';

export interface IngestionStepOptions<At extends StepPosition> {
  /** Unique name of the step in the timeline, in warnings and in logs. */
  readonly name: string;
  readonly at: At;
  /**
   * Tables for the rows of this step only. Each needs the columns `tenant_id uuid`, `document_id uuid` (a foreign key to `documents` with
   * ON DELETE CASCADE and the first column of an index) and `generation bigint`, and row-level security. The service does not start with
   * other tables.
   */
  readonly tables: readonly string[];
  /**
   * `fail`: an error of the step fails the document. `warn`: ingestion continues without the step's rows, and the document gets a warning.
   */
  readonly onFailure: 'fail' | 'warn';
}

/** The document of an attempt, as it was at the beginning. */
export interface StepDocument {
  readonly id: DocumentId;
  readonly datasetId: DatasetId;
  readonly revisionId: RevisionId;
  readonly name: string;
  readonly mediaType: string;
  readonly language: string | null;
  readonly sizeBytes: number;
  readonly tags: readonly string[];
  readonly metadata: JsonObject;
}

/** A file that a step wrote. */
export interface StepFile {
  /** Key in the object storage, for the step's rows. */
  readonly key: ObjectKey;
  readonly sizeBytes: number;
}

/** Files of the generation of an attempt; they are removed with it, like the rows of steps. */
export interface StepFiles {
  /**
   * Writes a file; it is durable when the promise resolves. `name` consists of letters, digits, `.`, `-` and `_` and begins with the name
   * of the step; a file with the same name is replaced.
   */
  put(name: string, bytes: Uint8Array): Promise<StepFile>;
}

/** One attempt on one document. */
export interface StepAttempt {
  /** Context with the tenant and the request that caused the work; the principal is the service. */
  readonly ctx: RequestContext;
  readonly document: StepDocument;
  readonly policy: IngestionPolicy;
  /** Generation of the rows: the fencing token of the attempt. */
  readonly generation: string;
  /** Storage for data that is too large for rows. */
  readonly files: StepFiles;
  /** Number of times that this attempt has been begun, including this time. */
  readonly tries: number;
  /** Aborted when the attempt is no longer valid or the service stops; the step must end then. */
  readonly signal: AbortSignal;
}

/** Result of parsing. */
export interface ParsedState {
  /** Length of the canonical text in UTF-16 code units. */
  readonly textLength: number;
  /** The text in order, with blocks, tables and their positions; a long text comes in pieces. Can be called repeatedly. */
  segments(): AsyncIterable<TextSegment>;
}

/** A chunk as stored in the database. Its id stays the same as long as the same text is chunked in the same way. */
export interface StepChunk extends Chunk {
  readonly id: ChunkId;
}

/** Result of chunking. */
export interface ChunkedState extends ParsedState {
  readonly chunkCount: number;
  /** The chunks in order, page by page for a long document. Can be called repeatedly. */
  chunks(): AsyncIterable<StepChunk>;
}

/** The input of a step by its position. All of it is in the database at that time. */
export interface StepStates {
  readonly after_parsing: ParsedState;
  readonly after_chunking: ChunkedState;
  /** All rows are written, in the vector store too, but not yet shown. */
  readonly before_switch: ChunkedState;
}

/** An output of a step; a step yields any number of them. */
export type StepOutput =
  /**
   * Rows for one of the step's tables: JSON objects by column. The columns `tenant_id`, `document_id` and `generation` are filled in by
   * ingestion; columns that a row lacks get their defaults.
   */
  | { readonly kind: 'rows'; readonly table: string; readonly rows: readonly JsonObject[] }
  /** A warning on the document. */
  | { readonly kind: 'warning'; readonly code: string; readonly detail: string };

/**
 * A step of ingestion that another module contributes. It runs in every attempt that reaches its position, including reingests and retries,
 * and yields the rows of that attempt. They are written under the attempt's generation, and only while the attempt is valid. They become
 * visible with the update that shows the document's chunks (readers join `documents.visible_generation = generation`), and are removed with
 * that generation or with the document.
 */
export interface IngestionStep<At extends StepPosition> {
  /**
   * Throws `StepFailed` to give up, and a catalogue error of status 429 or 503 to be called again when the dependency may be available; any
   * other error is retried like an unexpected fault.
   */
  run(attempt: StepAttempt, state: StepStates[At]): AsyncIterable<StepOutput>;
}

/** Thrown by a step that gives up on a document, because of the file or because something that it needs is permanently unavailable. */
export class StepFailed extends Error {
  /** `code` is in capitals, like the codes of the parsers; `detail` is shown to all callers who can see the document. */
  constructor(
    readonly code: string,
    readonly detail: string,
    /** Whether a retry of the same document can succeed. */
    readonly retryable = false,
  ) {
    super(`${code}: ${detail}`);
    this.name = 'StepFailed';
  }
}

export const CONTRIBUTED_STEP = DiscoveryService.createDecorator<IngestionStepOptions<StepPosition>>();

type StepClass<At extends StepPosition> = new (...parameters: never[]) => IngestionStep<At>;

/** Marks a provider of any module as a step of ingestion; it is discovered when the process starts. */
export function IngestionStep<At extends StepPosition>(
  options: IngestionStepOptions<At>,
): (target: StepClass<At>) => void {
  return (target) => CONTRIBUTED_STEP(options)(target);
}
