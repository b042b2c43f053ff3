import type { ChunkSetId, DatasetId, DocumentId, JsonObject } from '#libs/common';
import type { DocumentRow, DocumentWarning, IngestionStage } from './document.entity.js';
import type { NewDocumentEvent } from './document-events.repository.js';

/** The attempt is no longer valid: the document was deleted, cancelled, quarantined, or taken over by another worker. */
export class AttemptEnded extends Error {
  constructor(documentId: string) {
    super(`The attempt on document ${documentId} has ended.`);
    this.name = 'AttemptEnded';
  }
}

/** One attempt of one worker on one document; the token guards each of its writes and names its generation. */
export interface Attempt {
  readonly documentId: DocumentId;
  readonly token: string;
}

/** A document whose attempt has just begun. */
export interface BegunDocument {
  readonly row: DocumentRow;
  readonly attempt: Attempt;
  /** Time of the beginning by the database's clock, in milliseconds since 1970. */
  readonly databaseMs: number;
}

/** A completed stage with its results. */
export interface FinishedStage {
  readonly stage: IngestionStage;
  /** Progress of the document in percent. */
  readonly progress: number;
  /** Details for the timeline; `ms` is the duration in milliseconds. */
  readonly details: JsonObject;
  /** Parsed properties; visible at once if nothing of the document is shown yet. */
  readonly facts?: ParsedFacts;
}

/** Progress of an attempt. */
export interface AdvancedAttempt {
  readonly attempt: Attempt;
  readonly next: IngestionStage;
  readonly progress: number;
  readonly facts: ParsedFacts | undefined;
  readonly events: readonly NewDocumentEvent[];
  /** True when a model has answered since; the time since which it was waited for is then cleared. */
  readonly answered: boolean;
}

/** Result of a successful attempt, which the document then shows. */
export interface CompletedAttempt {
  readonly attempt: Attempt;
  readonly chunkSetId: ChunkSetId;
  readonly chunkCount: number;
  readonly tokenCount: number;
  readonly warnings: readonly DocumentWarning[];
  /** Parsed properties; null: the text was made before they were stored, so the row keeps its values. */
  readonly facts: ParsedFacts | null;
  /** `metadata_seq` of the row when the attempt began; the rows in the vector store have this metadata. */
  readonly metadataSeq: string;
  /** Version of the policy that the chunks were made with. */
  readonly policyVersion: number;
  /** Timeline events of the end, in order. */
  readonly events: readonly NewDocumentEvent[];
}

/** Attempts of one dataset that end together. */
export interface CompletedAttempts {
  readonly datasetId: DatasetId;
  readonly results: readonly CompletedAttempt[];
}

/** Properties of a file that parsing finds. `null`: the format has none. */
export type ParsedFacts = Pick<DocumentRow, 'media_type' | 'charset' | 'language' | 'page_count' | 'fidelity'>;

/** An attempt that is given back before its end and continues later. */
export interface GivenBack {
  readonly attempt: Attempt;
  /** Null: there is nothing to wait for; the next free worker takes it. */
  readonly wait: Wait | null;
  /** False: this beginning does not count as one of the document's tries. */
  readonly counts: boolean;
  /** True: from now on the document is ingested alone, not in a group. */
  readonly alone: boolean;
  readonly events: readonly NewDocumentEvent[];
}

/** Why a document waits, and for how long from now. */
export interface Wait {
  readonly reason: 'provider_backoff' | 'budget_exhausted' | 'store_unavailable' | 'storage_low' | 'retry_backoff';
  readonly ms: number;
}
