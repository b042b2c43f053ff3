import type { DocumentId } from '#libs/common';
import {
  matchesFilter,
  VectorStore,
  type CallOptions,
  type ChunkMetadata,
  type ChunkSelection,
  type IndexedChunk,
  type IndexRef,
  type KeywordQuery,
  type ScoredChunkId,
  type StoredChunkId,
  type VectorQuery,
  type VectorStoreCapabilities,
} from '#libs/vector-store';
import { cosineOf, measureVector } from '../ranking/vector-similarity.js';

/**
 * A store in memory with an opinion of its own about the order: it counts shared terms. Rows stay until they are removed,
 * also those of old generations.
 */
export class MemoryVectorStore extends VectorStore {
  readonly capabilities: VectorStoreCapabilities = {
    kind: 'memory',
    keyword: true,
    vector: true,
    maxBatchRows: 1000,
    exactVectorsBelow: 1_000_000,
  };
  private readonly rows = new Map<string, IndexedChunk[]>();
  /** What searches do before they answer. */
  beforeSearch: (options?: CallOptions) => Promise<void> = async () => undefined;
  /** What happens while an answer is on its way. */
  afterSearch: () => Promise<void> = async () => undefined;

  async ensureIndex(): Promise<void> {
    return undefined;
  }

  async write(index: IndexRef, chunks: readonly IndexedChunk[]): Promise<void> {
    this.rows.set(index.key, [...(this.rows.get(index.key) ?? []), ...chunks]);
  }

  async updateMetadata(index: IndexRef, documentId: DocumentId, metadata: ChunkMetadata): Promise<void> {
    const updated = (this.rows.get(index.key) ?? []).map((row) =>
      row.documentId === documentId ? { ...row, metadata } : row,
    );
    this.rows.set(index.key, updated);
  }

  async remove(index: IndexRef, selection: ChunkSelection): Promise<void> {
    const kept = (this.rows.get(index.key) ?? []).filter((row) => !isSelected(row, selection));
    this.rows.set(index.key, kept);
  }

  async *listIds(index: IndexRef, selection: ChunkSelection): AsyncGenerator<StoredChunkId> {
    for (const row of this.rows.get(index.key) ?? []) if (isSelected(row, selection)) yield row;
  }

  async count(index: IndexRef): Promise<number> {
    return (this.rows.get(index.key) ?? []).length;
  }

  async dropIndex(index: IndexRef): Promise<void> {
    this.rows.delete(index.key);
  }

  async searchKeyword(
    indexes: readonly IndexRef[],
    query: KeywordQuery,
    options?: CallOptions,
  ): Promise<ScoredChunkId[]> {
    await this.beforeSearch(options);
    const { words, grams, title } = query.terms;
    const asked = new Set([...words, ...grams, ...title]);
    const found = this.best(indexes, query, ({ terms }) => {
      const held = new Set([...terms.words, ...terms.grams, ...terms.title]);
      return [...asked].filter((term) => held.has(term)).length;
    }).filter(({ score }) => score > 0);
    await this.afterSearch();
    return found;
  }

  async searchVector(
    indexes: readonly IndexRef[],
    query: VectorQuery,
    options?: CallOptions,
  ): Promise<ScoredChunkId[]> {
    await this.beforeSearch(options);
    const asked = measureVector(query.vector);
    return this.best(indexes, query, ({ vector }) => cosineOf(asked, measureVector(vector)));
  }

  async ping(): Promise<void> {
    await this.afterSearch();
  }

  async close(): Promise<void> {
    return undefined;
  }

  private best(
    indexes: readonly IndexRef[],
    query: Pick<KeywordQuery, 'limit' | 'filter'>,
    scoreOf: (row: IndexedChunk) => number,
  ): ScoredChunkId[] {
    const { filter, limit } = query;
    return indexes
      .flatMap((index) => this.rows.get(index.key) ?? [])
      .filter((row) => filter === undefined || matchesFilter(filter, row.metadata))
      .map((row) => ({
        chunkId: row.chunkId,
        documentId: row.documentId,
        generation: row.generation,
        score: scoreOf(row),
      }))
      .sort((a, b) => b.score - a.score)
      .slice(0, limit);
  }
}

function isSelected(row: StoredChunkId, selection: ChunkSelection): boolean {
  if ('all' in selection) return true;
  if ('documentIds' in selection) return selection.documentIds.includes(row.documentId);
  if ('chunkIds' in selection) return selection.chunkIds.includes(row.chunkId);
  return selection.generations.some((g) => g.documentId === row.documentId && g.generation === row.generation);
}
