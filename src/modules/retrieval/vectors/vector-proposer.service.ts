import { Injectable } from '@nestjs/common';
import { inTurns, mapBounded } from '#libs/common';
import type { RequestContext } from '#libs/tenancy';
import { indexRef, VectorStore, type CallOptions, type Filter, type ScoredChunkId } from '#libs/vector-store';
import type { VisibleDataset } from '../../datasets/index.js';
import { FilterJudge } from '../rows/filter-judge.js';
import type { DatasetContents } from '../snapshot/held-dataset.js';
import { RetrievalRepository } from '../rows/retrieval.repository.js';
import { StoreLiveness } from './store-liveness.service.js';
import { VectorTables, type VectorTarget } from './vector-tables.service.js';

/** With a filter, at most this many times `limit` of the nearest chunks are looked at. */
const DEPTH_MOST = 16;
/** Datasets of one search whose vectors are read or compared at once. */
const DATASETS_AT_ONCE = 4;
/** Maximum number of comparisons with a dataset that changes meanwhile. */
const TRIES = 3;

/** The vector whose neighbours are sought, and where they are sought. */
export interface VectorRequest {
  readonly datasets: readonly VisibleDataset[];
  /** The embedding space of `vector`: datasets of others are left out. */
  readonly space: string;
  readonly vector: Float32Array;
  /** What the datasets show, in their order. */
  readonly contents: readonly DatasetContents[];
  /** Filter on documents, and the same for the store, whose metadata may be out of date; null: none. */
  readonly filter: Filter | null;
  readonly storeFilter: Filter | null;
  /** `ordering`: the embedding knows no meaning; chunks with nothing in common with the question are then left out. */
  readonly usage: VectorTarget['usage'];
}

/** What was found in memory, and whether the store need not be asked, too. */
interface Compared {
  readonly rows: readonly ScoredChunkId[];
  readonly isEnough: boolean;
}

/**
 * Candidates by vector. Where the vectors of a dataset are in memory, all its visible chunks are compared; else the store proposes.
 * Cosines of the vectors in memory are exact to some thousandths only; so more candidates are proposed than are ranked, as the store does.
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
   * At most `limit` rows of the store, and as many of each dataset in memory. Where a filter leaves so few chunks that finding them in memory takes
   * longer than asking the store, both propose. The search fails when the store is unreachable, even if it needs no rows of it.
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

  /** Undefined where the vectors are not in memory, or the dataset changed during each comparison. */
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
      // Otherwise a document whose chunks were replaced meanwhile would be missing.
      if (contents.postings === null || !table.isOf(contents.postings)) continue;
      return { rows, isEnough: filter === null || rows.length >= limit || most === compared.size };
    }
    return undefined;
  }
}
