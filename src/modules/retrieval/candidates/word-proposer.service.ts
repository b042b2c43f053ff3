import { Injectable } from '@nestjs/common';
import { InstalledModels } from '#libs/ai';
import type { RequestContext } from '#libs/tenancy';
import { storeQueryTerms, type QueryTerms } from '#libs/ranking';
import {
  indexRef,
  VectorStore,
  type CallOptions,
  type Filter,
  type IndexRef,
  type ScoredChunkId,
} from '#libs/vector-store';
import type { VisibleDataset } from '../../datasets/index.js';
import { candidateLimit } from './candidate-limits.js';
import { FilterJudge } from '../rows/filter-judge.js';
import type { PostingScores } from '../postings/posting-scores.js';
import { RetrievalRepository } from '../rows/retrieval.repository.js';
import { StoreLiveness } from '../vectors/store-liveness.service.js';
import type { Scoring } from './scoring.js';

/** With a filter the postings are gone through this many times as deep at most. */
const DEPTH_MOST = 16;

/** What is sought by words. */
export interface WordRequest {
  readonly datasets: readonly VisibleDataset[];
  readonly terms: QueryTerms;
  readonly candidateK: number;
  /** The keyword scores of all chunks of datasets whose postings are kept. */
  readonly posted: Scoring['posted'];
  /** What documents must meet, and the same for a store that may lag behind. */
  readonly filter: Filter | null;
  readonly storeFilter: Filter | null;
  /** No other channel asks the store. A search fails while the store is away, also one that could do without. */
  readonly isAlone: boolean;
}

/** Candidates by words: of each dataset the best of all its chunks where its postings are kept, else what the store proposes. */
@Injectable()
export class WordProposer {
  constructor(
    private readonly store: VectorStore,
    private readonly models: InstalledModels,
    private readonly repository: RetrievalRepository,
    private readonly liveness: StoreLiveness,
  ) {}

  /**
   * At most `limit` rows of the store and `candidateK` of each dataset with postings. A filter may leave so few chunks of
   * postings that finding them takes longer than asking the store: then both propose.
   */
  async propose(
    ctx: RequestContext,
    request: WordRequest,
    limit: number,
    options: CallOptions,
  ): Promise<readonly ScoredChunkId[]> {
    const { datasets, terms, posted, filter, storeFilter, isAlone } = request;
    const asked = filter === null ? datasets.filter(({ id }) => !posted.has(id)) : datasets;
    const [proposed, ...own] = await Promise.all([
      asked.length > 0 ? this.askStore(ctx, asked, { terms, limit, storeFilter }, options) : [],
      ...[...posted.values()].map((scores) => this.bestOf(ctx, scores, request)),
      isAlone && asked.length === 0 ? this.liveness.confirm(options).then(() => []) : [],
    ]);
    return [...own.flat(), ...proposed];
  }

  private async askStore(
    ctx: RequestContext,
    datasets: readonly VisibleDataset[],
    { terms, limit, storeFilter }: Pick<WordRequest, 'terms' | 'storeFilter'> & { readonly limit: number },
    options: CallOptions,
  ): Promise<readonly ScoredChunkId[]> {
    const filter = storeFilter === null ? {} : { filter: storeFilter };
    return this.store.searchKeyword(
      this.indexesOf(ctx, datasets),
      { terms: storeQueryTerms(terms), limit, ...filter },
      options,
    );
  }

  private async bestOf(
    ctx: RequestContext,
    scores: PostingScores,
    { filter, candidateK }: WordRequest,
  ): Promise<readonly ScoredChunkId[]> {
    if (filter === null) return scores.best(candidateK);
    const limit = candidateLimit(candidateK);
    const depth = { wanted: candidateK, limit, most: limit * DEPTH_MOST };
    return new FilterJudge(ctx, this.repository, filter).firstOf((count) => scores.best(count), depth);
  }

  /** Words do not depend on the embedding: chunks that lie in the spaces of other models are found too. */
  private indexesOf(ctx: RequestContext, datasets: readonly VisibleDataset[]): IndexRef[] {
    return datasets.flatMap(({ id, embeddingSpace, furtherSpaces }) =>
      [...new Set([this.models.embedderFor(embeddingSpace).descriptor.space, embeddingSpace, ...furtherSpaces])].map(
        (one) => indexRef(ctx, id, one),
      ),
    );
  }
}
