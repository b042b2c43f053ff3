import {
  VectorStore,
  vectorStoreErrors,
  type CallOptions,
  type ChunkMetadata,
  type ChunkSelection,
  type DocumentId,
  type IndexedChunk,
  type IndexRef,
  type IndexSpec,
  type KeywordQuery,
  type ScoredChunkId,
  type StoredChunkId,
  type VectorQuery,
  type VectorStoreCapabilities,
} from 'knowledge-base-service/extension';
import { AcmeIndex, byScore } from './acme-index.js';

const MOST_ROWS = 1_000;

/**
 * Keeps all rows in memory and compares every one of them: exact at any size, and empty after a restart, until the service
 * has filled it again from the database.
 */
export class AcmeStore extends VectorStore {
  readonly capabilities: VectorStoreCapabilities = {
    kind: 'acme',
    keyword: true,
    vector: true,
    maxBatchRows: MOST_ROWS,
    exactVectorsBelow: Number.MAX_SAFE_INTEGER,
  };

  private readonly indexes = new Map<string, AcmeIndex>();
  private isClosed = false;

  async ensureIndex(index: IndexRef, spec: IndexSpec, options?: CallOptions): Promise<void> {
    this.begin('ensureIndex', options);
    const found = this.indexes.get(index.key)?.spec;
    if (found === undefined) this.indexes.set(index.key, new AcmeIndex({ ...spec }));
    else if (found.dimensions !== spec.dimensions || found.analysisVersion !== spec.analysisVersion) {
      throw vectorStoreErrors.schema_mismatch({ expected: describe(spec), found: describe(found) });
    }
  }

  async write(index: IndexRef, chunks: readonly IndexedChunk[], options?: CallOptions): Promise<void> {
    this.begin('write', options);
    if (chunks.length > MOST_ROWS) throw new RangeError(`${chunks.length} chunks in one write; ${MOST_ROWS} are allowed`);
    const rows = this.indexes.get(index.key);
    if (rows === undefined) throw vectorStoreErrors.index_missing({ datasetId: index.datasetId });
    for (const { vector } of chunks) {
      rows.checkLength(vector);
      if (!vector.every(Number.isFinite)) throw new RangeError('a vector holds a value that is no finite number');
    }
    for (const chunk of chunks) rows.put(chunk);
  }

  async updateMetadata(index: IndexRef, documentId: DocumentId, metadata: ChunkMetadata, options?: CallOptions): Promise<void> {
    this.begin('updateMetadata', options);
    this.indexes.get(index.key)?.updateMetadata(documentId, metadata);
  }

  async remove(index: IndexRef, selection: ChunkSelection, options?: CallOptions): Promise<void> {
    this.begin('remove', options);
    this.indexes.get(index.key)?.remove(selection);
  }

  async *listIds(index: IndexRef, selection: ChunkSelection, options?: CallOptions): AsyncGenerator<StoredChunkId> {
    this.begin('listIds', options);
    for (const id of this.indexes.get(index.key)?.select(selection) ?? []) {
      options?.signal?.throwIfAborted();
      yield id;
    }
  }

  async count(index: IndexRef, options?: CallOptions): Promise<number> {
    this.begin('count', options);
    return this.indexes.get(index.key)?.size ?? 0;
  }

  async dropIndex(index: IndexRef, options?: CallOptions): Promise<void> {
    this.begin('dropIndex', options);
    this.indexes.delete(index.key);
  }

  async searchKeyword(indexes: readonly IndexRef[], query: KeywordQuery, options?: CallOptions): Promise<ScoredChunkId[]> {
    this.begin('searchKeyword', options);
    const answers = this.present(indexes).map((index) => index.byTerms(query));
    const found = new Map<string, ScoredChunkId>();
    for (const leg of [0, 1, 2]) {
      for (const hit of answers.flatMap((legs) => legs[leg] ?? []).sort(byScore).slice(0, query.limit)) {
        const key = `${hit.chunkId} ${hit.generation}`;
        found.set(key, { ...hit, score: hit.score + (found.get(key)?.score ?? 0) });
      }
    }
    return [...found.values()].sort(byScore);
  }

  async searchVector(indexes: readonly IndexRef[], query: VectorQuery, options?: CallOptions): Promise<ScoredChunkId[]> {
    this.begin('searchVector', options);
    return this.present(indexes)
      .flatMap((index) => index.byVector(query))
      .sort(byScore)
      .slice(0, query.limit);
  }

  async ping(options?: CallOptions): Promise<void> {
    this.begin('ping', options);
  }

  async close(): Promise<void> {
    this.isClosed = true;
    this.indexes.clear();
  }

  private present(indexes: readonly IndexRef[]): AcmeIndex[] {
    return [...new Set(indexes.map(({ key }) => key))].flatMap((key) => this.indexes.get(key) ?? []);
  }

  private begin(operation: string, options?: CallOptions): void {
    options?.signal?.throwIfAborted();
    if (this.isClosed) throw vectorStoreErrors.unavailable({ operation, reason: 'the store is closed' });
  }
}

function describe({ dimensions, analysisVersion }: IndexSpec): string {
  return `${dimensions} dimensions, analysis ${analysisVersion}`;
}
