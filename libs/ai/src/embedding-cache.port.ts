import type { ModelCaller } from './model-call.js';

/** A vector with the hash and the document of its text. */
export interface CachedVector {
  /** SHA-256 of the text. */
  readonly hash: Buffer;
  readonly vector: Float32Array;
  /** The document that the text is in. */
  readonly documentId: string;
}

/** Cache of vectors of texts embedded before, separate for each tenant. Only texts of documents are cached. */
export abstract class EmbeddingCache {
  /** Vectors by hash in hex; only of documents that may be shown. */
  abstract find(
    caller: ModelCaller,
    space: string,
    hashes: readonly Buffer[],
  ): Promise<ReadonlyMap<string, Float32Array>>;
  /** Stores vectors, except those of a document that was removed meanwhile. */
  abstract keep(caller: ModelCaller, space: string, vectors: readonly CachedVector[]): Promise<void>;
}
