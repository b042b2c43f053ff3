import type { Gate } from './job-spec.js';
import { isAnswerMetric, isJudgeMetric, metricOf } from './metric-catalogue.js';
import type { Comparison, GateResult, MetricFigures, Verdict } from './job-summary.js';

/** Inputs for the verdicts of gates. */
export interface GateFacts {
  readonly variants: readonly {
    readonly name: string;
    readonly metrics: MetricFigures;
    readonly errors: number;
    /** How it answers; absent where it only searches. */
    readonly chat?: object;
  }[];
  readonly comparisons: readonly Comparison[];
}

/**
 * Results of every gate for every variant to which it applies. `min`: the interval of the mean decides. `max_regression`: the interval of the
 * paired difference to the baseline decides, or without one to the first variant, which is then not judged itself.
 */
export function judgeGates(gates: readonly Gate[], { variants, comparisons }: GateFacts): GateResult[] {
  const judgedBy = (metric: string): ReadonlySet<string> =>
    new Set(variants.filter((variant) => isJudgedBy(variant, metric)).map(({ name }) => name));
  const failing = new Set(variants.filter(({ errors }) => errors > 0).map(({ name }) => name));
  const judged = gates.flatMap(({ metric, min, maxRegression }) => [
    ...(min === null
      ? []
      : variants.filter(({ name }) => judgedBy(metric).has(name)).map((variant) => judgeMin(metric, min, variant))),
    ...(maxRegression === null
      ? []
      : referencesOf(comparisons, variants[0]?.name ?? '')
          .filter((one) => one.metric === metric && judgedBy(metric).has(one.variant))
          .map((comparison) => judgeRegression(metric, maxRegression, comparison))),
  ]);
  // Of a search that failed no one knows what it would have found.
  return judged.map((one) =>
    one.verdict === 'pass' && failing.has(one.variant) ? { ...one, verdict: 'inconclusive' } : one,
  );
}

/** A variant that does not answer is not judged by what measures answers. */
export function isJudgedBy({ chat }: { readonly chat?: object }, key: string): boolean {
  const metric = metricOf(key);
  return chat !== undefined || (!isAnswerMetric(metric) && !isJudgeMetric(metric));
}

/** `fail` if any gate fails, otherwise `inconclusive` if any is. Null without gates. */
export function verdictOfJob(gates: readonly GateResult[]): Verdict | null {
  if (gates.length === 0) return null;
  const verdicts = gates.map(({ verdict }) => verdict);
  return verdicts.find((one) => one === 'fail') ?? verdicts.find((one) => one === 'inconclusive') ?? 'pass';
}

/** Comparisons with the baseline where there is one, else with the first variant. */
function referencesOf(comparisons: readonly Comparison[], first: string): readonly Comparison[] {
  const withBaseline = comparisons.filter(({ against_baseline: isBaseline }) => isBaseline);
  return withBaseline.length > 0 ? withBaseline : comparisons.filter(({ against }) => against === first);
}

function judgeMin(metric: string, min: number, variant: GateFacts['variants'][number]): GateResult {
  const figure = variant.metrics[metric] ?? { mean: null, low: null, high: null, n: 0 };
  const { mean: value, low, high, n } = figure;
  return {
    metric,
    kind: 'min',
    variant: variant.name,
    against: null,
    threshold: min,
    value,
    low,
    high,
    n,
    verdict: verdictOf(low, high, min),
  };
}

function judgeRegression(metric: string, most: number, comparison: Comparison): GateResult {
  const { variant, against, difference, low, high, n } = comparison;
  return {
    metric,
    kind: 'max_regression',
    variant,
    against,
    threshold: most,
    value: difference,
    low,
    high,
    n,
    verdict: verdictOf(low, high, -most),
  };
}

/** Pass when the whole interval reaches the threshold, fail when none of it does. */
function verdictOf(low: number | null, high: number | null, threshold: number): Verdict {
  if (low === null || high === null) return 'inconclusive';
  if (low >= threshold) return 'pass';
  return high < threshold ? 'fail' : 'inconclusive';
}
