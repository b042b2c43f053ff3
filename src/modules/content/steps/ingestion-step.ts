import { DiscoveryService } from '@nestjs/core';
import type { ChunkId, DatasetId, DocumentId, JsonObject, RevisionId } from '#libs/common';
import type { ObjectKey } from '#libs/object-storage';
import type { RequestContext } from '#libs/tenancy';
import type { Chunk, TextSegment } from '#libs/text';
import type { IngestionPolicy } from '../../ingestion-policy/index.js';

/** Where a step is among the stages. Its time is counted to the stage before it: parsing, chunking or vector_write. */
export type StepPosition = 'after_parsing' | 'after_chunking' | 'before_switch';

export interface IngestionStepOptions<At extends StepPosition> {
  /** Names the step in the timeline, in warnings and in logs; no two steps have the same one. */
  readonly name: string;
  readonly at: At;
  /**
   * The tables that the step's rows go to, of this step alone. Each has the columns `tenant_id uuid`, `document_id uuid` (a foreign
   * key to `documents` with ON DELETE CASCADE and the beginning of an index) and `generation bigint`, and is under row-level
   * security. The start refuses others.
   */
  readonly tables: readonly string[];
  /**
   * `fail`: an error of the step is the document's. `warn`: the document goes on without the step's rows, with a warning.
   */
  readonly onFailure: 'fail' | 'warn';
}

/** The document of an attempt, as it was begun. */
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

/** A file that a step has written. */
export interface StepFile {
  /** Key in the object storage, for the step's rows. */
  readonly key: ObjectKey;
  readonly sizeBytes: number;
}

/** Files that go with the generation of an attempt, as the rows of steps do. */
export interface StepFiles {
  /**
   * Writes a file; it is durable when the promise resolves. `name` holds letters, digits, `.`, `-` and `_` and begins with the name of
   * the step; the same name again replaces the file.
   */
  put(name: string, bytes: Uint8Array): Promise<StepFile>;
}

/** One attempt on one document. */
export interface StepAttempt {
  /** The tenant and the request that asked for the work; acts as the service. */
  readonly ctx: RequestContext;
  readonly document: StepDocument;
  readonly policy: IngestionPolicy;
  /** The generation that the rows will belong to: the fencing token of the attempt. */
  readonly generation: string;
  /** For what is too large for rows. */
  readonly files: StepFiles;
  /** How often this attempt has been begun, this time included. */
  readonly tries: number;
  /** Fires when the document is no longer this attempt's, and when the service stops; work is to end then. */
  readonly signal: AbortSignal;
}

/** What parsing has made. */
export interface ParsedState {
  /** Length of the canonical text in UTF-16 code units. */
  readonly textLength: number;
  /** The text in its order, with blocks, tables and their positions; a long one piece by piece. May be asked for again. */
  segments(): AsyncIterable<TextSegment>;
}

/** A chunk as the database keeps it. Its id stays as long as the same text is cut in the same way. */
export interface StepChunk extends Chunk {
  readonly id: ChunkId;
}

/** What chunking has made. */
export interface ChunkedState extends ParsedState {
  readonly chunkCount: number;
  /** In their order; those of a long document page by page. May be asked for again. */
  chunks(): AsyncIterable<StepChunk>;
}

/** What a step sees, by its position. Everything of it is in the database by then. */
export interface StepStates {
  readonly after_parsing: ParsedState;
  readonly after_chunking: ChunkedState;
  /** All rows are written, in the vector store too; what is left is to show them. */
  readonly before_switch: ChunkedState;
}

/** What a step gives, piece by piece. */
export type StepOutput =
  /**
   * Rows for one of the step's tables, by column, as JSON. The columns `tenant_id`, `document_id` and `generation` are filled in;
   * a column that a row lacks gets its default.
   */
  | { readonly kind: 'rows'; readonly table: string; readonly rows: readonly JsonObject[] }
  /** A warning that the document shows. */
  | { readonly kind: 'warning'; readonly code: string; readonly detail: string };

/**
 * A step of ingestion that another module contributes. It runs in every attempt that comes to its position, a reingest and a retry
 * included, and gives the rows of that attempt. They are written under the attempt's generation and only while the document is the
 * attempt's; they become visible by the update that shows the document's chunks (readers join
 * `documents.visible_generation = generation`), and go when that generation goes, or with the document.
 */
export interface IngestionStep<At extends StepPosition> {
  /**
   * Throws `StepFailed` to give up, a catalogue error of status 429 or 503 to be asked again when the dependency may be there, and
   * anything else to be tried again like any fault.
   */
  run(attempt: StepAttempt, state: StepStates[At]): AsyncIterable<StepOutput>;
}

/** A step gives up on a document: the file is at fault, or what it asks for cannot be had. */
export class StepFailed extends Error {
  /** `code` in capitals, like those of the parsers; `detail` is shown to anyone who may see the document. */
  constructor(
    readonly code: string,
    readonly detail: string,
    /** Whether the same document may pass when someone asks for a retry. */
    readonly retryable = false,
  ) {
    super(`${code}: ${detail}`);
    this.name = 'StepFailed';
  }
}

export const CONTRIBUTED_STEP = DiscoveryService.createDecorator<IngestionStepOptions<StepPosition>>();

type StepClass<At extends StepPosition> = new (...parameters: never[]) => IngestionStep<At>;

/** Marks a provider as a step of ingestion; it is found when the process starts, wherever its module is. */
export function IngestionStep<At extends StepPosition>(
  options: IngestionStepOptions<At>,
): (target: StepClass<At>) => void {
  return (target) => CONTRIBUTED_STEP(options)(target);
}
