import { Injectable } from '@nestjs/common';
import { Reranker, type ModelCaller, type RerankerDescriptor } from '#libs/ai';
import type { RequestContext } from '#libs/tenancy';
import { rankAgain, type Ranked } from './ranking.js';
import { RetrievalRepository } from './retrieval.repository.js';
import type { SearchPlan } from './search-plan.js';
import type { ScopedCandidate } from './candidate-scorer.js';

/** Has a model look at the best candidates again. */
@Injectable()
export class ResultReranker {
  constructor(
    private readonly reranker: Reranker,
    private readonly repository: RetrievalRepository,
  ) {}

  get descriptor(): RerankerDescriptor {
    return this.reranker.descriptor;
  }

  /** The first `topN` candidates by the reranker's score; the others are left out. */
  async rerank(
    ctx: RequestContext,
    { query, datasets, signal }: Pick<SearchPlan, 'query' | 'datasets' | 'signal'>,
    ranked: readonly Ranked<ScopedCandidate>[],
    topN: number,
  ): Promise<readonly Ranked<ScopedCandidate>[]> {
    const best = ranked.slice(0, topN);
    if (best.length === 0) return best;
    const rows = await this.repository.listTexts(
      ctx,
      best.map(({ item }) => item.id),
    );
    const texts = new Map(
      rows.map((row) => [row.id, [row.heading_path.join(' > '), row.body].filter((text) => text !== '').join('\n')]),
    );
    const documents = best.flatMap(({ item }) => {
      const text = texts.get(item.id);
      return text === undefined ? [] : [{ id: item.id, text }];
    });
    const caller: ModelCaller = { tenantId: ctx.tenantId, datasetIds: datasets.map(({ id }) => id), purpose: 'search' };
    const { documents: reranked } = await this.reranker.rerank(query, documents, { signal, caller });
    return rankAgain(best, new Map(reranked.map(({ id, score }) => [id, Math.min(1, Math.max(0, score))])));
  }
}
