import type { ChunkId, DocumentId } from '#libs/common';
import type { Filter } from '#libs/vector-store';
import type { SoughtStatement } from '#libs/answering';
import type { FilterMeans, UnknownReason } from './semantic-filter.dto.js';
import type { SeenFact, Truth } from './fact-condition.js';

/** A subject to judge. */
export interface FilterSubject {
  readonly id: string;
  readonly documentId: DocumentId;
  readonly documentName: string;
  /** The generation that was shown when the subject was read. */
  readonly generation: string;
  /** Metadata of the document as JSON; empty for a row, whose cells are its text. */
  readonly metadata: string;
  /** Set for a chunk. */
  readonly chunkId: ChunkId | null;
  /** Set for a row. `text`: its cells with their headers, bounded. */
  readonly row: { readonly table: string; readonly number: number; readonly text: string } | null;
}

/** Place of a piece of text in its document. */
export interface TextPlace {
  readonly chunkId: ChunkId | null;
  readonly charStart: number | null;
}

/** A sentence of a document. */
export interface FoundText extends TextPlace {
  readonly text: string;
  readonly charEnd: number | null;
}

/** A subject with its verdict so far. */
export interface Judged {
  readonly subject: FilterSubject;
  readonly truth: Truth;
  /** 0.5 to 1. */
  readonly certainty: number;
  readonly means: FilterMeans | null;
  /** Set where `truth` is unknown. */
  readonly reason: UnknownReason | null;
  /** 0..1: similarity to what is sought; orders unknown subjects. */
  readonly nearness: number;
  readonly facts: readonly SeenFact[];
  readonly texts: readonly FoundText[];
  readonly rationale: string;
}

/** Reading of a predicate. */
export interface ReadAs {
  readonly table: string | null;
  readonly filters: readonly Filter[];
  readonly statements: readonly SoughtStatement[];
  readonly isNegated: boolean;
}

/** Verdict without a model. */
export interface CheapResult {
  readonly judged: readonly Judged[];
  readonly total: number;
  readonly readings: readonly ReadAs[];
  readonly warnings: readonly { readonly code: string; readonly detail: string }[];
}
