import type { ChunkId, DocumentId } from '#libs/common';
import type { ChunkMetadata, Filter } from './filter.js';
import type { IndexRef } from './index-ref.js';

/** Specification of an index. A change of either field needs a new index and a reindex. */
export interface IndexSpec {
  readonly dimensions: number;
  /** Version of the text analysis that made the terms; terms of two versions never lie in one index. */
  readonly analysisVersion: string;
}

/** The analysed text of a chunk: lists of terms in reading order, with repetitions. A term has no white space and at most 64 code points. */
export interface ChunkTerms {
  readonly words: readonly string[];
  readonly grams: readonly string[];
  readonly title: readonly string[];
}

/** One row: a chunk under one generation. `(chunkId, generation)` is its key within an index. */
export interface IndexedChunk {
  readonly chunkId: ChunkId;
  readonly documentId: DocumentId;
  /** Position of the chunk in its document, from 0. */
  readonly ordinal: number;
  /** The fencing token of the attempt that wrote the row: a PostgreSQL bigint as a decimal string. */
  readonly generation: string;
  readonly terms: ChunkTerms;
  /** Has the dimensions of the index and need not have length 1. A vector of zeros is never found by vector. */
  readonly vector: Float32Array;
  /** The document's metadata, the same for all chunks of a document that are written together. */
  readonly metadata: ChunkMetadata;
}

/** Key of a row, as `listIds` yields it. */
export interface StoredChunkId {
  readonly chunkId: ChunkId;
  readonly documentId: DocumentId;
  readonly generation: string;
}

/** A candidate. `score`: higher is better; `searchKeyword` and `searchVector` define its scale. */
export interface ScoredChunkId extends StoredChunkId {
  readonly score: number;
}

/** Selection of rows: all, those of documents, those of single generations of documents, or those of chunks (in every generation). */
export type ChunkSelection =
  | { readonly all: true }
  | { readonly documentIds: readonly DocumentId[] }
  | { readonly generations: readonly { readonly documentId: DocumentId; readonly generation: string }[] }
  | { readonly chunkIds: readonly ChunkId[] };

/** Terms are data, never a query language. They are matched exactly; a term that occurs several times counts once. */
export interface KeywordQuery {
  readonly terms: ChunkTerms;
  /** Maximum number of candidates of each leg (words, grams, title), 1 or more. The result is their union, at most three times as many. */
  readonly limit: number;
  readonly filter?: Filter;
}

export interface VectorQuery {
  readonly vector: Float32Array;
  /** Maximum number of candidates, 1 or more. */
  readonly limit: number;
  readonly filter?: Filter;
}

/** `deadlineMs` counts from the call. A write may still take effect after its deadline or an abort by its signal. */
export interface CallOptions {
  readonly signal?: AbortSignal;
  readonly deadlineMs?: number;
}

/** Capabilities of a store, as data, so that callers do not depend on its kind. */
export interface VectorStoreCapabilities {
  /** For display (`/health/details`) only. */
  readonly kind: string;
  readonly keyword: boolean;
  readonly vector: boolean;
  /** Maximum number of chunks in one `write`. */
  readonly maxBatchRows: number;
  /** Number of rows per index up to which `searchVector` is exact and reproducible. */
  readonly exactVectorsBelow: number;
  /** Whether the store proposes candidates by n-grams; if false, only by words, titles and vectors. Default true. */
  readonly proposesByGrams?: boolean;
  /** Whether searches of the store run in this process; then comparing vectors here instead takes no work off another machine. Default false. */
  readonly isInProcess?: boolean;
}

/** Why a store accepts no writes. `isFull`: its disks are full, which ends when space is freed. */
export interface WriteRefusal {
  readonly reason: string;
  readonly isFull: boolean;
}

/**
 * Finds chunks by words or by vector. Implementations must pass `describeVectorStore`.
 *
 * The store is a cache of PostgreSQL and only proposes candidates: it also finds rows of generations that are no longer visible until they are
 * removed, so the caller verifies each hit and requests more than it needs. Every method may throw `vector_store.unavailable` (503).
 */
export abstract class VectorStore {
  abstract readonly capabilities: VectorStoreCapabilities;

  /** Creates the index, or verifies it; throws `vector_store.schema_mismatch`. Idempotent. */
  abstract ensureIndex(index: IndexRef, spec: IndexSpec, options?: CallOptions): Promise<void>;

  /**
   * Writes at most `capabilities.maxBatchRows` chunks; a row with the same chunk and generation is overwritten.
   * The rows are readable and durable when the promise resolves. When it rejects, either all or none are written. Throws
   * `vector_store.index_missing` and `vector_store.schema_mismatch`. What filters then see for the document's older rows is unspecified when
   * `metadata` differs from theirs: follow with `updateMetadata`.
   */
  abstract write(index: IndexRef, chunks: readonly IndexedChunk[], options?: CallOptions): Promise<void>;

  /** Changes what filters see of all rows of a document, in every generation. A document without rows is left alone. */
  abstract updateMetadata(
    index: IndexRef,
    documentId: DocumentId,
    metadata: ChunkMetadata,
    options?: CallOptions,
  ): Promise<void>;

  /** Removes rows; missing rows, or a missing index, are not an error. */
  abstract remove(index: IndexRef, selection: ChunkSelection, options?: CallOptions): Promise<void>;

  /** The rows of a selection, in no particular order, as of one moment; nothing when the index is missing. */
  abstract listIds(index: IndexRef, selection: ChunkSelection, options?: CallOptions): AsyncIterable<StoredChunkId>;

  /** Number of rows of the index; 0 when it is missing. */
  abstract count(index: IndexRef, options?: CallOptions): Promise<number>;

  /** Removes the index and everything in it. Idempotent. */
  abstract dropIndex(index: IndexRef, options?: CallOptions): Promise<void>;

  /**
   * Candidates that share at least one term with the query, best first, each row once. A missing index counts as empty.
   * Scores order this result only and are not comparable with those of other calls.
   */
  abstract searchKeyword(
    indexes: readonly IndexRef[],
    query: KeywordQuery,
    options?: CallOptions,
  ): Promise<readonly ScoredChunkId[]>;

  /**
   * The nearest rows, best first, over all indexes together; `score` is the cosine similarity (-1 to 1), ties by chunk id
   * and generation. A missing index counts as empty; a query vector of zeros finds nothing; one of another length throws
   * `vector_store.schema_mismatch`.
   */
  abstract searchVector(
    indexes: readonly IndexRef[],
    query: VectorQuery,
    options?: CallOptions,
  ): Promise<readonly ScoredChunkId[]>;

  /** Resolves when the store answers. */
  abstract ping(options?: CallOptions): Promise<void>;

  /** Why the store accepts no writes although it answers; null when it accepts them. A plain text says nothing about its disks. */
  refusesWrites(_options?: CallOptions): Promise<WriteRefusal | string | null> {
    return Promise.resolve(null);
  }

  /** Ends background work, waits for writes under way and releases the storage. Later calls are refused. Idempotent. */
  abstract close(): Promise<void>;
}
