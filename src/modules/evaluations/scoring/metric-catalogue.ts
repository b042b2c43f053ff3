import { ANSWER_METRICS } from './answer-metrics.js';
import { JUDGE_METRICS, type JudgeMetricName } from './judge-metrics.js';
import { RANKING_METRICS } from './ranking-metrics.js';

/**
 * Kind of a metric: `ranking` for the results of a search at each `k`, `answer` for the answer of a chat, `judge` for the answer of a chat as a
 * chat model judges it.
 */
export const METRIC_KINDS = ['ranking', 'answer', 'judge'] as const;
export type MetricKind = (typeof METRIC_KINDS)[number];

/** All metrics by name. Values lie in 0..1; higher is better. */
export const METRICS = { ...RANKING_METRICS, ...ANSWER_METRICS, ...JUDGE_METRICS } as const;

export type MetricName = keyof typeof METRICS;
export type RankingMetricName = keyof typeof RANKING_METRICS;
export type AnswerMetricName = keyof typeof ANSWER_METRICS;

export const METRIC_NAMES = Object.keys(METRICS) as MetricName[];
export const ANSWER_METRIC_NAMES = Object.keys(ANSWER_METRICS) as AnswerMetricName[];

export function isRankingMetric(name: MetricName): name is RankingMetricName {
  return Object.hasOwn(RANKING_METRICS, name);
}

export function isAnswerMetric(name: MetricName): name is AnswerMetricName {
  return Object.hasOwn(ANSWER_METRICS, name);
}

export function isJudgeMetric(name: MetricName): name is JudgeMetricName {
  return Object.hasOwn(JUDGE_METRICS, name);
}

export function kindOfMetric(name: MetricName): MetricKind {
  if (isJudgeMetric(name)) return 'judge';
  return isRankingMetric(name) ? 'ranking' : 'answer';
}

/** `ndcg` at 10 is `ndcg@10`; what is about an answer has no `k`. */
export function metricKey(name: MetricName, k: number): string {
  return isRankingMetric(name) ? `${name}@${k}` : name;
}

/** Keys of all metrics of a job, in the order in which they were asked for. */
export function metricKeys(metrics: readonly MetricName[], k: readonly number[]): string[] {
  return metrics.flatMap((name) => (isRankingMetric(name) ? k.map((cut) => metricKey(name, cut)) : [name]));
}

/** The metric of a key. */
export function metricOf(key: string): MetricName {
  return key.split('@', 1)[0] as MetricName;
}

/** Definition of the metric of a key, such as `ndcg@10`. */
export function meaningOfMetric(key: string): string {
  return METRICS[metricOf(key)].definition;
}
