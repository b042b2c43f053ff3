import type { ChunkSetId, DatasetId, DocumentId, JsonObject } from '#libs/common';
import type { DocumentRow, DocumentWarning, IngestionStage } from './document.entity.js';
import type { NewDocumentEvent } from './document-events.repository.js';

/** The document is no longer this attempt's: deleted, cancelled, quarantined, or taken over by another worker. */
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

/** A document that has just been begun. */
export interface BegunDocument {
  readonly row: DocumentRow;
  readonly attempt: Attempt;
  /** The database's clock at the beginning, in milliseconds since 1970. */
  readonly databaseMs: number;
}

/** A stage that has been done, with what it found out. */
export interface FinishedStage {
  readonly stage: IngestionStage;
  /** Progress of the document in percent. */
  readonly progress: number;
  /** What the timeline tells of it; `ms` is the time it took. */
  readonly details: JsonObject;
  /** Shown at once when nothing else of the document is shown yet. */
  readonly facts?: ParsedFacts;
}

/** An attempt that has come further. */
export interface AdvancedAttempt {
  readonly attempt: Attempt;
  readonly next: IngestionStage;
  readonly progress: number;
  readonly facts: ParsedFacts | undefined;
  readonly events: readonly NewDocumentEvent[];
  /** True when a model has answered since: what it had been waited for before is forgotten. */
  readonly answered: boolean;
}

/** What a document shows once its attempt has succeeded. */
export interface CompletedAttempt {
  readonly attempt: Attempt;
  readonly chunkSetId: ChunkSetId;
  readonly chunkCount: number;
  readonly tokenCount: number;
  readonly warnings: readonly DocumentWarning[];
  /** What the parser found out; null: made before it was kept, so that what the row tells stays. */
  readonly facts: ParsedFacts | null;
  /** `metadata_seq` of the row when the attempt began: what the store's rows carry. */
  readonly metadataSeq: string;
  /** Version of the policy that the chunks were made with. */
  readonly policyVersion: number;
  /** What the timeline tells of the end, in order. */
  readonly events: readonly NewDocumentEvent[];
}

/** Attempts of one dataset that end together. */
export interface CompletedAttempts {
  readonly datasetId: DatasetId;
  readonly results: readonly CompletedAttempt[];
}

/** What parsing finds out about a file. `null`: it has none. */
export type ParsedFacts = Pick<DocumentRow, 'media_type' | 'charset' | 'language' | 'page_count' | 'fidelity'>;

/** An attempt that is given back before its end, to go on later. */
export interface GivenBack {
  readonly attempt: Attempt;
  /** Null: nothing to wait for, the next free worker takes it. */
  readonly wait: Wait | null;
  /** False: this beginning is not counted among the document's tries. */
  readonly counts: boolean;
  /** True: from now on not together with others. */
  readonly alone: boolean;
  readonly events: readonly NewDocumentEvent[];
}

/** Why a document waits, and for how long from now. */
export interface Wait {
  readonly reason: 'provider_backoff' | 'budget_exhausted' | 'store_unavailable' | 'storage_low' | 'retry_backoff';
  readonly ms: number;
}
