import { Injectable } from '@nestjs/common';
import { Embedder } from '#libs/ai';
import type { DocumentId } from '#libs/common';
import type { RequestContext } from '#libs/tenancy';
import { storeQueryTerms, type QueryTerms } from '#libs/text';
import {
  indexRef,
  matchesFilter,
  VectorStore,
  type CallOptions,
  type Filter,
  type IndexRef,
  type ScoredChunkId,
} from '#libs/vector-store';
import type { VisibleDataset } from '../datasets/index.js';
import { toFilterFacts } from '../documents/index.js';
import { candidateLimit } from './candidate-limits.js';
import type { PostingScores } from './postings/posting-scores.js';
import { RetrievalRepository } from './retrieval.repository.js';
import type { Scoring } from './scoring.js';

/** With a filter the postings are gone through in steps, each so many times as deep as the one before, so far at most. */
const DEEPER = 4;
const DEPTH_MOST = 16;

/** What is sought by words. */
export interface WordRequest {
  readonly datasets: readonly VisibleDataset[];
  readonly terms: QueryTerms;
  readonly candidateK: number;
  readonly scoring: Promise<Pick<Scoring, 'posted'>>;
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
    private readonly embedder: Embedder,
    private readonly repository: RetrievalRepository,
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
    const { posted } = await request.scoring;
    const { datasets, terms, filter, storeFilter, isAlone } = request;
    const asked = filter === null ? datasets.filter(({ id }) => !posted.has(id)) : datasets;
    const query = { terms: storeQueryTerms(terms), limit, ...(storeFilter === null ? {} : { filter: storeFilter }) };
    const [proposed, ...own] = await Promise.all([
      asked.length > 0 ? this.store.searchKeyword(this.indexesOf(ctx, asked), query, options) : [],
      ...[...posted.values()].map((scores) => this.bestOf(ctx, scores, request)),
      isAlone && asked.length === 0 ? this.store.ping(options).then(() => []) : [],
    ]);
    return [...own.flat(), ...proposed];
  }

  private async bestOf(
    ctx: RequestContext,
    scores: PostingScores,
    { filter, candidateK }: WordRequest,
  ): Promise<readonly ScoredChunkId[]> {
    if (filter === null) return scores.best(candidateK);
    const passing = new Map<DocumentId, boolean>();
    for (let depth = 1; ; depth *= DEEPER) {
      const limit = depth * candidateLimit(candidateK);
      const rows = scores.best(limit);
      await this.judge(ctx, rows, filter, passing);
      const found = rows.filter(({ documentId }) => passing.get(documentId) === true);
      if (found.length >= candidateK || rows.length < limit || depth >= DEPTH_MOST) return found.slice(0, candidateK);
    }
  }

  /** Notes for the documents of the rows whether they meet the filter. */
  private async judge(
    ctx: RequestContext,
    rows: readonly ScoredChunkId[],
    filter: Filter,
    passing: Map<DocumentId, boolean>,
  ): Promise<void> {
    const fresh = [...new Set(rows.map(({ documentId }) => documentId))].filter((id) => !passing.has(id));
    for (const id of fresh) passing.set(id, false);
    for (const row of await this.repository.listFilterFacts(ctx, fresh))
      passing.set(row.id, matchesFilter(filter, toFilterFacts(row)));
  }

  /** Words do not depend on the embedding: chunks that lie in the spaces of other models are found too. */
  private indexesOf(ctx: RequestContext, datasets: readonly VisibleDataset[]): IndexRef[] {
    const { space } = this.embedder.descriptor;
    return datasets.flatMap(({ id, embeddingSpace, furtherSpaces }) =>
      [...new Set([space, embeddingSpace, ...furtherSpaces])].map((one) => indexRef(ctx, id, one)),
    );
  }
}
