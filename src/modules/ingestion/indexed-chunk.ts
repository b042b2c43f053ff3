import { decodeTerms, storeTerms } from '#libs/text';
import type { IndexedChunk } from '#libs/vector-store';
import { toFilterFacts, type FilterFactsRow } from '../documents/index.js';
import { vectorOf, type ChunkToIndex } from './chunk-set.repository.js';

/** A chunk as the vector store keeps it. */
export function toIndexedChunk(document: FilterFactsRow, generation: string, row: ChunkToIndex): IndexedChunk {
  return {
    chunkId: row.id,
    documentId: document.id,
    ordinal: row.ordinal,
    generation,
    terms: storeTerms(decodeTerms(row.terms)),
    vector: vectorOf(row.vector),
    metadata: toFilterFacts(document),
  };
}
