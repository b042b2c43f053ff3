import type { ChunkId } from '#libs/common';
import type { IndexRef } from '../index-ref.js';
import type { ChunkSelection, IndexedChunk, StoredChunkId, VectorStore } from '../vector-store.port.js';

/** What the parts of the conformance suite share. */
export interface Suite {
  readonly store: () => VectorStore;
  /** A new index with these rows. */
  readonly filled: (...chunks: IndexedChunk[]) => Promise<IndexRef>;
  readonly ids: (index: IndexRef, selection?: ChunkSelection) => Promise<StoredChunkId[]>;
  readonly found: (index: IndexRef, ...terms: string[]) => Promise<ChunkId[]>;
}

/** A row's id alone, to compare rows and hits with. */
export function idOf({ chunkId, documentId, generation }: StoredChunkId): StoredChunkId {
  return { chunkId, documentId, generation };
}

/** Ids as comparable texts, whatever their order was. */
export function sorted(ids: readonly StoredChunkId[]): string[] {
  return ids.map((id) => `${id.documentId}/${id.chunkId}/${id.generation}`).sort();
}
