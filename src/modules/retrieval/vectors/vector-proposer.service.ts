import { Injectable } from '@nestjs/common';
import { inTurns } from '#libs/common';
import type { RequestContext } from '#libs/tenancy';
import { indexRef, VectorStore, type CallOptions, type Filter, type ScoredChunkId } from '#libs/vector-store';
import type { VisibleDataset } from '../../datasets/index.js';
import { candidateLimit } from '../candidate-limits.js';
import { FilterJudge } from '../filter-judge.js';
import type { DatasetContents } from '../held-dataset.js';
import { RetrievalRepository } from '../retrieval.repository.js';
import { VectorTables, type VectorTarget } from './vector-tables.service.js';

/** A dataset that changes while it is compared is compared again so often at most. */
const TRIES = 3;

/** Whose neighbours are sought, and among what. */
export interface VectorRequest {
  readonly datasets: readonly VisibleDataset[];
  /** The embedding space of `vector`: datasets of others are left out. */
  readonly space: string;
  readonly vector: Float32Array;
  readonly candidateK: number;
  /** What the datasets show, in their order. */
  readonly scope: Promise<{ readonly contents: readonly DatasetContents[] }>;
  /** What documents must meet, and the same for a store that may lag behind. */
  readonly filter: Filter | null;
  readonly storeFilter: Filter | null;
  /** `ordering`: of an embedding that knows no meaning; what has nothing in common with the question is then no neighbour. */
  readonly usage: VectorTarget['usage'];
}

/**
 * Candidates by vector: compared with all visible chunks in memory where the vectors of a dataset are kept there, else proposed by
 * the store. What is kept names more candidates than are ranked, as the store does: their order here is to some thousandths only.
 */
@Injectable()
export class VectorProposer {
  constructor(
    private readonly store: VectorStore,
    private readonly repository: RetrievalRepository,
    private readonly tables: VectorTables,
  ) {}

  /** At most `limit` rows of the store, and as many of each dataset in memory. A store that is away fails the search, also one that could do without. */
  async propose(
    ctx: RequestContext,
    request: VectorRequest,
    limit: number,
    options: CallOptions,
  ): Promise<readonly ScoredChunkId[]> {
    const { space, vector, storeFilter } = request;
    const datasets = request.datasets.filter(({ embeddingSpace }) => embeddingSpace === space);
    const own = this.tables.isFor(request.usage)
      ? await this.compare(ctx, request, limit, options)
      : new Map<string, never>();
    const asked = datasets.filter(({ id }) => !own.has(id));
    if (asked.length === 0 && datasets.length > 0) await this.store.ping(options);
    if (asked.length === 0) return [...own.values()].flat();
    const filter = storeFilter === null ? {} : { filter: storeFilter };
    const indexes = asked.map(({ id }) => indexRef(ctx, id, space));
    const proposed = await this.store.searchVector(indexes, { vector, limit, ...filter }, options);
    return [...[...own.values()].flat(), ...proposed];
  }

  /** By dataset what was found in memory. */
  private async compare(
    ctx: RequestContext,
    request: VectorRequest,
    limit: number,
    { signal }: CallOptions,
  ): Promise<ReadonlyMap<string, readonly ScoredChunkId[]>> {
    const { contents } = await request.scope;
    const found = new Map<string, readonly ScoredChunkId[]>();
    for (const [index, { id, embeddingSpace }] of request.datasets.entries()) {
      if (embeddingSpace !== request.space) continue;
      const rows = await this.nearestIn(ctx, id, contents[index]!, request, limit, signal);
      if (rows !== undefined) found.set(id, rows);
    }
    return found;
  }

  /** Undefined where the vectors are not kept, and for a dataset that changes all the time. */
  private async nearestIn(
    ctx: RequestContext,
    datasetId: VisibleDataset['id'],
    contents: DatasetContents,
    { space, vector, candidateK, filter, usage }: VectorRequest,
    limit: number,
    signal: AbortSignal | undefined,
  ): Promise<readonly ScoredChunkId[] | undefined> {
    const target = { datasetId, space, dimensions: vector.length, usage };
    for (let tries = 0; tries < TRIES; tries += 1) {
      const table = await this.tables.find(ctx, target, contents);
      if (table === undefined) return undefined;
      const compared = await inTurns(table.compare(vector), { party: ctx.tenantId, signal });
      const best = (count: number): readonly ScoredChunkId[] =>
        compared?.best(contents.counted, count, usage === 'ordering') ?? [];
      const depth = { wanted: limit, limit: Math.max(limit, candidateLimit(candidateK)), most: compared?.size ?? 0 };
      const rows =
        filter === null ? best(limit) : await new FilterJudge(ctx, this.repository, filter).firstOf(best, depth);
      // Else a document that has got other chunks would be missing.
      if (compared !== undefined && contents.postings !== null && table.isOf(contents.postings)) return rows;
    }
    return undefined;
  }
}
