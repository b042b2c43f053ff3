import {
  averagePrecisionAt,
  hitRateAt,
  ndcgAt,
  precisionAt,
  recallAt,
  reciprocalRankAt,
  type Relevance,
} from './metrics.js';
import type { MetricDefinition } from './metric-definition.js';

type RankingMetric = (ranked: readonly string[], relevant: Relevance, k: number) => number;

/** Metrics of the first k results of a search. */
export const RANKING_METRICS = {
  hit_rate: {
    compute: hitRateAt,
    definition: 'Share of the cases in which at least one relevant item is among the first k.',
    formula: '1 if |relevant ∩ first k| > 0, else 0; mean over the cases',
    source: 'trec_eval: success_k',
  },
  recall: {
    compute: recallAt,
    definition: 'Share of the relevant items that are among the first k.',
    formula: '|relevant ∩ first k| / |relevant|',
    source: 'trec_eval: recall_k',
  },
  precision: {
    compute: precisionAt,
    definition:
      'Share of the first k places that hold a relevant item; places that are not filled count as not relevant.',
    formula: '|relevant ∩ first k| / k',
    source: 'trec_eval: P_k',
  },
  mrr: {
    compute: reciprocalRankAt,
    definition: 'One divided by the rank of the first relevant item; 0 where none is among the first k.',
    formula: '1 / rank of the first relevant item',
    source: 'trec_eval: recip_rank, cut at k',
  },
  map: {
    compute: averagePrecisionAt,
    definition:
      'Mean over all relevant items of the precision at the rank of each; 0 for one that is not among the first k.',
    formula: 'Σ precision at the rank of each relevant item found / |relevant|',
    source: 'trec_eval: map_cut_k',
  },
  ndcg: {
    compute: ndcgAt,
    definition:
      'Sum of the gains of the relevant items among the first k, discounted by rank, divided by that of the best possible order.',
    formula: 'Σ gain / log2(rank + 1), divided by the same sum for the ideal order',
    source: 'trec_eval: ndcg_cut_k; Järvelin and Kekäläinen 2002',
  },
} as const satisfies Readonly<Record<string, MetricDefinition & { readonly compute: RankingMetric }>>;
