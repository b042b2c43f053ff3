import { Injectable } from '@nestjs/common';
import { inTurns, mapBounded } from '#libs/common';
import type { RequestContext } from '#libs/tenancy';
import { indexRef, VectorStore, type CallOptions, type Filter, type ScoredChunkId } from '#libs/vector-store';
import type { VisibleDataset } from '../../datasets/index.js';
import { FilterJudge } from '../rows/filter-judge.js';
import type { DatasetContents } from '../snapshot/held-dataset.js';
import { RetrievalRepository } from '../rows/retrieval.repository.js';
import { StoreLiveness } from './store-liveness.js';
import { VectorTables, type VectorTarget } from './vector-tables.service.js';

/** With a filter the nearest chunks are gone through this many times as deep at most. */
const DEPTH_MOST = 16;
/** Datasets of one search whose vectors are read or compared at once. */
const DATASETS_AT_ONCE = 4;
/** A dataset that changes while it is compared is compared again so often at most. */
const TRIES = 3;

/** Whose neighbours are sought, and among what. */
export interface VectorRequest {
  readonly datasets: readonly VisibleDataset[];
  /** The embedding space of `vector`: datasets of others are left out. */
  readonly space: string;
  readonly vector: Float32Array;
  /** What the datasets show, in their order. */
  readonly contents: readonly DatasetContents[];
  /** What documents must meet, and the same for a store that may lag behind. */
  readonly filter: Filter | null;
  readonly storeFilter: Filter | null;
  /** `ordering`: of an embedding that knows no meaning; what has nothing in common with the question is then no neighbour. */
  readonly usage: VectorTarget['usage'];
}

/** What was found in memory, and whether that is all that is wanted. */
interface Compared {
  readonly rows: readonly ScoredChunkId[];
  readonly isEnough: boolean;
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
    private readonly liveness: StoreLiveness,
  ) {}

  /**
   * At most `limit` rows of the store, and as many of each dataset in memory. A filter may leave so few chunks that finding them takes longer than
   * asking the store: then both propose. A store that is away fails the search, also one that could do without.
   */
  async propose(
    ctx: RequestContext,
    request: VectorRequest,
    limit: number,
    options: CallOptions,
  ): Promise<readonly ScoredChunkId[]> {
    const mine = request.datasets.flatMap((dataset, at) => (dataset.embeddingSpace === request.space ? [at] : []));
    const found = this.tables.isFor(request.usage) ? await this.compareAll(ctx, request, mine, limit, options) : [];
    const rows = found.flatMap((one) => one?.rows ?? []);
    const asked = mine.filter((_, index) => found[index]?.isEnough !== true).map((at) => request.datasets[at]!);
    if (asked.length > 0) return [...rows, ...(await this.askStore(ctx, request, asked, limit, options))];
    if (mine.length > 0) await this.liveness.confirm(options);
    return rows;
  }

  private async askStore(
    ctx: RequestContext,
    { space, vector, storeFilter }: VectorRequest,
    datasets: readonly VisibleDataset[],
    limit: number,
    options: CallOptions,
  ): Promise<readonly ScoredChunkId[]> {
    const filter = storeFilter === null ? {} : { filter: storeFilter };
    const indexes = datasets.map(({ id }) => indexRef(ctx, id, space));
    return this.store.searchVector(indexes, { vector, limit, ...filter }, options);
  }

  /** For each of the datasets what was found in memory; undefined where its vectors are not kept. */
  private async compareAll(
    ctx: RequestContext,
    request: VectorRequest,
    places: readonly number[],
    limit: number,
    { signal }: CallOptions,
  ): Promise<(Compared | undefined)[]> {
    const { datasets, contents } = request;
    return mapBounded(places, DATASETS_AT_ONCE, (at) =>
      this.nearestIn(ctx, datasets[at]!.id, contents[at]!, request, limit, signal),
    );
  }

  /** Undefined where the vectors are not kept, and for a dataset that changes all the time. */
  private async nearestIn(
    ctx: RequestContext,
    datasetId: VisibleDataset['id'],
    contents: DatasetContents,
    { space, vector, filter, usage }: VectorRequest,
    limit: number,
    signal: AbortSignal | undefined,
  ): Promise<Compared | undefined> {
    const target = { datasetId, space, dimensions: vector.length, usage };
    for (let tries = 0; tries < TRIES; tries += 1) {
      const table = await this.tables.find(ctx, target, contents);
      if (table === undefined) return undefined;
      const compared = await inTurns(table.compare(vector), { party: ctx.tenantId, signal });
      if (compared === undefined) continue;
      const best = (count: number): readonly ScoredChunkId[] =>
        compared.best(contents.counted, count, usage === 'ordering');
      const most = Math.min(compared.size, limit * DEPTH_MOST);
      const rows =
        filter === null
          ? best(limit)
          : await new FilterJudge(ctx, this.repository, filter).firstOf(best, { wanted: limit, limit, most });
      // Else a document that has got other chunks would be missing.
      if (contents.postings === null || !table.isOf(contents.postings)) continue;
      return { rows, isEnough: filter === null || rows.length >= limit || most === compared.size };
    }
    return undefined;
  }
}
