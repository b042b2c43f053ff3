import type { ModelCaller } from './model-call.js';

/** A vector with the text that it was made of, and where that came from. */
export interface CachedVector {
  /** SHA-256 of the text. */
  readonly hash: Buffer;
  readonly vector: Float32Array;
  /** The document that the text is in. */
  readonly documentId: string;
}

/** Vectors of texts that were embedded before, for one tenant each. What is in no document is never kept. */
export abstract class EmbeddingCache {
  /** By hash in hex; of documents that may be shown alone. */
  abstract find(
    caller: ModelCaller,
    space: string,
    hashes: readonly Buffer[],
  ): Promise<ReadonlyMap<string, Float32Array>>;
  /** Keeps vectors; those of a document that has gone meanwhile are left out. */
  abstract keep(caller: ModelCaller, space: string, vectors: readonly CachedVector[]): Promise<void>;
}
