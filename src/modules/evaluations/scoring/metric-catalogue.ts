import {
  averagePrecisionAt,
  hitRateAt,
  ndcgAt,
  precisionAt,
  recallAt,
  reciprocalRankAt,
  type Relevance,
} from '#libs/text';

type RankingMetric = (ranked: readonly string[], relevant: Relevance, k: number) => number;

interface MetricDefinition {
  readonly compute: RankingMetric;
  readonly definition: string;
  readonly formula: string;
  readonly source: string;
}

/** Every metric by its name: how it is computed and what it says. All lie in 0..1, and more is better. */
export const METRICS = {
  hit_rate: {
    compute: hitRateAt,
    definition: 'Share of the cases in which at least one relevant item stands among the first k.',
    formula: '1 if |relevant ∩ first k| > 0, else 0; mean over the cases',
    source: 'trec_eval: success_k',
  },
  recall: {
    compute: recallAt,
    definition: 'Share of the relevant items that stand among the first k.',
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
    definition: 'One over the place of the first relevant item among the first k, else 0.',
    formula: '1 / rank of the first relevant item',
    source: 'trec_eval: recip_rank, cut at k',
  },
  map: {
    compute: averagePrecisionAt,
    definition: 'Precision at the place of each relevant item among the first k, over all relevant items.',
    formula: 'Σ precision at the rank of each relevant item found / |relevant|',
    source: 'trec_eval: map_cut_k',
  },
  ndcg: {
    compute: ndcgAt,
    definition:
      'Gain of the relevant items among the first k, less for later places, over that of the best possible order.',
    formula: 'Σ gain / log2(rank + 1), divided by the same of the ideal order',
    source: 'trec_eval: ndcg_cut_k; Järvelin and Kekäläinen 2002',
  },
} as const satisfies Readonly<Record<string, MetricDefinition>>;

export type MetricName = keyof typeof METRICS;
export const METRIC_NAMES = Object.keys(METRICS) as MetricName[];

/** `ndcg` at 10 is `ndcg@10`. */
export function metricKey(name: MetricName, k: number): string {
  return `${name}@${k}`;
}

/** Keys of all metrics of a job, in the order in which they were asked for. */
export function metricKeys(metrics: readonly MetricName[], k: readonly number[]): string[] {
  return metrics.flatMap((name) => k.map((cut) => metricKey(name, cut)));
}

/** What `ndcg@10` says. */
export function meaningOfMetric(key: string): string {
  return METRICS[key.split('@', 1)[0] as MetricName].definition;
}
