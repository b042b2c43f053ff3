import { setImmediate as nextTurn } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#libs/tenancy';
import { compareScored } from '#libs/ranking';
import { indexRef, VectorStore, type CallOptions, type Filter, type ScoredChunkId } from '#libs/vector-store';
import type { VisibleDataset } from '../datasets/index.js';
import { candidateLimit } from './candidate-limits.js';
import { ChunkFeatures } from './chunk-features.service.js';
import { FilterJudge } from './filter-judge.js';
import type { DatasetContents } from './held-dataset.js';
import { GreatestNumbers } from './postings/greatest-numbers.js';
import type { PostedChunk } from './postings/posting-segment.js';
import { RetrievalRepository } from './retrieval.repository.js';
import { cosineOf, measureVector, type MeasuredVector } from './vector-similarity.js';

/** Chunks compared between two turns for other requests; about a millisecond. */
const CHUNKS_PER_TURN = 2_000;

/** Whose neighbours are sought, and among what. */
export interface NeighbourRequest {
  readonly datasets: readonly VisibleDataset[];
  /** The embedding space of `vector`: datasets of others are left out. */
  readonly space: string;
  readonly vector: Float32Array;
  readonly candidateK: number;
  /** What documents must meet, and the same for a store that may lag behind. */
  readonly filter: Filter | null;
  readonly storeFilter: Filter | null;
}

/**
 * The nearest neighbours of a question among all visible chunks, for an embedding that knows no meaning and is rarely asked: compared
 * in memory where the words of the dataset are kept there, which names its chunks, else proposed by the store.
 */
@Injectable()
export class NeighbourFinder {
  constructor(
    private readonly store: VectorStore,
    private readonly repository: RetrievalRepository,
    private readonly features: ChunkFeatures,
  ) {}

  /** At most `candidateK` of each dataset in memory, and what the store proposes of the others. A store that is away fails the search. */
  async find(
    ctx: RequestContext,
    request: NeighbourRequest,
    contents: readonly DatasetContents[],
    options: CallOptions,
  ): Promise<readonly ScoredChunkId[]> {
    const { datasets, space, vector, candidateK, storeFilter } = request;
    const held: DatasetContents[] = [];
    const asked = datasets.filter(({ embeddingSpace }, index) => {
      if (embeddingSpace !== space) return false;
      const isHeld = contents[index]!.postings !== null;
      if (isHeld) held.push(contents[index]!);
      return !isHeld;
    });
    const filter = storeFilter === null ? {} : { filter: storeFilter };
    const indexes = asked.map(({ id }) => indexRef(ctx, id, space));
    const rows: ScoredChunkId[] = [];
    if (indexes.length === 0) await this.store.ping(options);
    else
      rows.push(
        ...(await this.store.searchVector(indexes, { vector, limit: candidateLimit(candidateK), ...filter }, options)),
      );
    for (const one of held) rows.push(...(await this.nearestIn(ctx, one, request, options)));
    return rows;
  }

  private async nearestIn(
    ctx: RequestContext,
    contents: DatasetContents,
    { vector, space, candidateK: wanted, filter }: NeighbourRequest,
    { signal }: CallOptions,
  ): Promise<readonly ScoredChunkId[]> {
    const chunks = shownChunks(contents);
    const cosines = await this.cosinesOf(ctx, chunks, { space, query: measureVector(vector) }, signal);
    const best = (limit: number): readonly ScoredChunkId[] => nearest(chunks, cosines, limit);
    if (filter === null) return best(wanted);
    const depth = { wanted, limit: candidateLimit(wanted), most: chunks.length };
    return new FilterJudge(ctx, this.repository, filter).firstOf(best, depth);
  }

  /** In the order of `chunks`; 0 for a chunk without a vector. */
  private async cosinesOf(
    ctx: RequestContext,
    chunks: readonly ShownChunk[],
    { space, query }: { readonly space: string; readonly query: MeasuredVector },
    signal: AbortSignal | undefined,
  ): Promise<Float64Array> {
    const cosines = new Float64Array(chunks.length);
    for (let from = 0; from < chunks.length; from += CHUNKS_PER_TURN) {
      signal?.throwIfAborted();
      const ids = chunks.slice(from, from + CHUNKS_PER_TURN).map(({ item }) => item.id);
      const vectors = await this.features.loadVectors(ctx, ids, space);
      vectors.forEach((vector, index) => {
        if (vector !== undefined) cosines[from + index] = cosineOf(query, vector);
      });
      await nextTurn();
    }
    return cosines;
  }
}

interface ShownChunk {
  readonly item: PostedChunk;
  readonly generation: string;
}

/** What a dataset shows at this moment. */
function shownChunks({ postings, counted }: DatasetContents): ShownChunk[] {
  const shown: ShownChunk[] = [];
  for (const { chunks } of postings?.segments ?? [])
    for (const item of chunks) {
      const document = item === null ? undefined : counted.get(item.documentId);
      if (item !== null && document?.set === item.chunkSetId) shown.push({ item, generation: document.generation });
    }
  return shown;
}

/** The `limit` greatest cosines above 0, the greatest first; ties as in every ranking. */
function nearest(chunks: readonly ShownChunk[], cosines: Float64Array, limit: number): ScoredChunkId[] {
  const greatest = new GreatestNumbers(Math.min(limit, chunks.length));
  for (const cosine of cosines) greatest.add(cosine);
  const { least } = greatest;
  const found: { item: PostedChunk; generation: string; score: number }[] = [];
  chunks.forEach((chunk, index) => {
    const score = cosines[index]!;
    if (score > 0 && score >= least) found.push({ ...chunk, score });
  });
  return found
    .sort(compareScored)
    .slice(0, limit)
    .map(({ item, generation, score }) => ({ chunkId: item.id, documentId: item.documentId, generation, score }));
}
