import type { Steps } from '#libs/common';
import { decodeTerms, storeTerms } from '#libs/ranking';
import { vectorOf, type IndexedChunk } from '#libs/vector-store';
import { toFilterFacts, type FilterFactsRow } from '../../documents/index.js';
import type { ChunkToIndex } from '../../content/index.js';

/** The row of a chunk in the vector store; with its n-grams for a store that searches by them. */
export function toIndexedChunk(
  document: FilterFactsRow,
  generation: string,
  row: ChunkToIndex,
  withGrams: boolean,
): IndexedChunk {
  return {
    chunkId: row.id,
    documentId: document.id,
    ordinal: row.ordinal,
    generation,
    terms: storeTerms(decodeTerms(row.terms, row.text), withGrams),
    vector: vectorOf(row.vector),
    metadata: toFilterFacts(document),
  };
}

/** The same for many chunks, one per step, because making the tokens of a chunk takes up to a millisecond. */
export function* toIndexedChunks<Row extends ChunkToIndex>(
  rows: readonly Row[],
  withGrams: boolean,
  ownerOf: (row: Row) => { readonly document: FilterFactsRow; readonly generation: string },
): Steps<IndexedChunk[]> {
  const chunks: IndexedChunk[] = [];
  for (const row of rows) {
    const { document, generation } = ownerOf(row);
    chunks.push(toIndexedChunk(document, generation, row, withGrams));
    yield;
  }
  return chunks;
}
