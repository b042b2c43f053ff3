import {
  matchesFilter,
  vectorStoreErrors,
  type ChunkSelection,
  type ChunkTerms,
  type DocumentId,
  type ChunkMetadata,
  type IndexedChunk,
  type IndexSpec,
  type KeywordQuery,
  type ScoredChunkId,
  type StoredChunkId,
  type VectorQuery,
} from 'knowledge-base-service/extension';

const LEGS: readonly (keyof ChunkTerms)[] = ['words', 'grams', 'title'];

interface Row {
  readonly id: StoredChunkId;
  readonly terms: Readonly<Record<keyof ChunkTerms, ReadonlySet<string>>>;
  /** Of length 1; null for a vector of zeros. */
  readonly vector: Float64Array | null;
  metadata: ChunkMetadata;
}

/** The rows of one index. */
export class AcmeIndex {
  private readonly rows = new Map<string, Row>();

  constructor(readonly spec: IndexSpec) {}

  get size(): number {
    return this.rows.size;
  }

  /** @throws `vector_store.schema_mismatch` for a vector of another length */
  checkLength(vector: Float32Array): void {
    if (vector.length !== this.spec.dimensions) {
      throw vectorStoreErrors.schema_mismatch({
        expected: `${this.spec.dimensions} dimensions`,
        found: `${vector.length} dimensions`,
      });
    }
  }

  put(chunk: IndexedChunk): void {
    const { chunkId, documentId, generation, terms } = chunk;
    this.rows.set(`${chunkId} ${generation}`, {
      id: { chunkId, documentId, generation },
      terms: { words: new Set(terms.words), grams: new Set(terms.grams), title: new Set(terms.title) },
      vector: unit(chunk.vector),
      metadata: structuredClone(chunk.metadata),
    });
  }

  updateMetadata(documentId: DocumentId, metadata: ChunkMetadata): void {
    const copy = structuredClone(metadata);
    for (const row of this.rows.values()) if (row.id.documentId === documentId) row.metadata = copy;
  }

  select(selection: ChunkSelection): StoredChunkId[] {
    const isChosen = chooser(selection);
    return [...this.rows.values()].map(({ id }) => id).filter(isChosen);
  }

  remove(selection: ChunkSelection): void {
    for (const { chunkId, generation } of this.select(selection)) this.rows.delete(`${chunkId} ${generation}`);
  }

  /** For each leg the rows that share a term with the query. */
  byTerms({ terms, filter }: KeywordQuery): ScoredChunkId[][] {
    return LEGS.map((leg) => {
      const asked = [...new Set(terms[leg])];
      return asked.length === 0 ? [] : this.score(filter, (row) => asked.filter((term) => row.terms[leg].has(term)).length || null);
    });
  }

  byVector({ vector, filter }: VectorQuery): ScoredChunkId[] {
    this.checkLength(vector);
    const asked = unit(vector);
    return asked === null ? [] : this.score(filter, (row) => row.vector && cosine(asked, row.vector));
  }

  private score(filter: VectorQuery['filter'], score: (row: Row) => number | null): ScoredChunkId[] {
    const found: ScoredChunkId[] = [];
    for (const row of this.rows.values()) {
      const value = score(row);
      if (value === null || (filter !== undefined && !matchesFilter(filter, row.metadata))) continue;
      found.push({ ...row.id, score: value });
    }
    return found;
  }
}

/** Best first; ties by chunk and generation. */
export function byScore(a: ScoredChunkId, b: ScoredChunkId): number {
  if (a.score !== b.score) return b.score - a.score;
  if (a.chunkId !== b.chunkId) return a.chunkId < b.chunkId ? -1 : 1;
  const difference = BigInt(a.generation) - BigInt(b.generation);
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

function chooser(selection: ChunkSelection): (id: StoredChunkId) => boolean {
  if ('all' in selection) return () => true;
  if ('documentIds' in selection) {
    const documents = new Set(selection.documentIds);
    return ({ documentId }) => documents.has(documentId);
  }
  if ('chunkIds' in selection) {
    const chunks = new Set(selection.chunkIds);
    return ({ chunkId }) => chunks.has(chunkId);
  }
  const generations = new Set(selection.generations.map(({ documentId, generation }) => `${documentId} ${generation}`));
  return ({ documentId, generation }) => generations.has(`${documentId} ${generation}`);
}

function unit(vector: Float32Array): Float64Array | null {
  const length = Math.hypot(...vector);
  return length === 0 ? null : Float64Array.from(vector, (value) => value / length);
}

function cosine(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!;
  return Math.max(-1, Math.min(1, sum));
}
