import { Injectable } from '@nestjs/common';
import { InstalledModels, type ModelCaller } from '#libs/ai';
import type { RequestContext } from '#libs/tenancy';
import { rankAgain, type Ranked } from '../ranking/ranking.js';
import { RetrievalRepository } from '../rows/retrieval.repository.js';
import type { EffectiveOptions, OptionFacts } from '../request/search-options.js';
import type { AllRanked, SearchPlan } from '../results/search-plan.js';
import { CommonWords } from './common-words.service.js';
import { SecondLook, type LookedAgain } from './second-look.service.js';
import type { ScopedCandidate } from '../ranking/candidate-scorer.service.js';

/** Reranks the best candidates by a model. */
@Injectable()
export class ResultReranker {
  constructor(
    private readonly models: InstalledModels,
    private readonly repository: RetrievalRepository,
    private readonly secondLook: SecondLook,
    private readonly commonWords: CommonWords,
  ) {}

  /**
   * The list of a search in its final order: by a reranker if one is requested, otherwise by what the first results have in common where the words of the
   * question do not tell them apart, and after the second look where few of its words occur.
   */
  async order(ctx: RequestContext, plan: SearchPlan, { merged, scoring }: AllRanked): Promise<LookedAgain> {
    const { rerank } = plan.options;
    if (rerank === null) {
      const ranked = await this.commonWords.order(ctx, plan, scoring, merged);
      return this.secondLook.look(ctx, plan, scoring, ranked);
    }
    return { ranked: await this.rerank(ctx, plan, merged, rerank) };
  }

  /** Those that a search may name. */
  get facts(): Pick<OptionFacts, 'reranker' | 'furtherRerankers'> {
    return rerankersOf(this.models);
  }

  /** The first `topN` candidates by the reranker's score; the others are left out. */
  private async rerank(
    ctx: RequestContext,
    { query, datasets, signal, purpose = 'search' }: Pick<SearchPlan, 'query' | 'datasets' | 'signal' | 'purpose'>,
    ranked: readonly Ranked<ScopedCandidate>[],
    { id: rerankerId, topN }: NonNullable<EffectiveOptions['rerank']>,
  ): Promise<readonly Ranked<ScopedCandidate>[]> {
    const { rerankers } = this.models;
    const reranker = (rerankerId === undefined ? undefined : rerankers.find(rerankerId)) ?? rerankers.own;
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
    const caller: ModelCaller = { tenantId: ctx.tenantId, datasetIds: datasets.map(({ id }) => id), purpose };
    const { documents: reranked } = await reranker.rerank(query, documents, { signal, caller });
    return rankAgain(best, new Map(reranked.map(({ id, score }) => [id, Math.min(1, Math.max(0, score))])));
  }
}

/** The rerankers of the installation, its own and those that a search may name. */
export function rerankersOf({
  rerankers,
}: Pick<InstalledModels, 'rerankers'>): Pick<OptionFacts, 'reranker' | 'furtherRerankers'> {
  const [own, ...further] = rerankers.all.map(({ id, model: { descriptor } }) => ({ id, descriptor }));
  return { reranker: own!.descriptor, furtherRerankers: further };
}
