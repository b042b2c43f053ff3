import type { ChunkSetId, DatasetId, DocumentId, JsonObject } from '#libs/common';
import type { DocumentRow, DocumentWarning, IngestionStage } from './document.entity.js';

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

/** A stage that has been done, with what it found out. */
export interface FinishedStage {
  readonly stage: IngestionStage;
  /** Progress of the document in percent. */
  readonly progress: number;
  readonly details: JsonObject;
  readonly facts?: ParsedFacts;
}

/** What a document shows once its attempt has succeeded. */
export interface CompletedAttempt extends FinishedStage {
  readonly datasetId: DatasetId;
  readonly chunkSetId: ChunkSetId;
  readonly chunkCount: number;
  readonly tokenCount: number;
  readonly warnings: readonly DocumentWarning[];
  readonly durationMs: number;
}

type ParsedFacts = Partial<Pick<DocumentRow, 'media_type' | 'charset' | 'language' | 'page_count' | 'fidelity'>>;
