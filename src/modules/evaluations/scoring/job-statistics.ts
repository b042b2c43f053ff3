import type { Steps } from '#libs/common';
import { bootstrapSteps, meanOf } from './statistics/bootstrap.js';
import { holmAdjusted, pairedPermutationSteps, smallestDetectableDifference } from './statistics/paired-test.js';
import type { Comparison, LatencyFigures, MetricFigure, MetricFigures, TagFigures } from './job-summary.js';

/** Values of one variant: for each case, in the order of the cases, each metric; null where there is none. */
export interface VariantValues {
  readonly name: string;
  readonly values: ReadonlyMap<string, readonly (number | null)[]>;
}

const BOUNDS = { low: 0, high: 1 };
const LEVEL = 0.05;
const MOST_TAGS = 50;

/** Mean and interval of each metric. The same seed and values give the same figures. */
export function* figuresOf({ name, values }: VariantValues, seed: string): Steps<MetricFigures> {
  const figures: Record<string, MetricFigure> = {};
  for (const [metric, list] of values) {
    figures[metric] = yield* figureOf(present(list), `${seed}/${name}/${metric}`);
    yield;
  }
  return figures;
}

/** The same for the cases of each tag: the fifty most frequent ones. */
export function* groupsOf(
  { name, values }: VariantValues,
  tags: readonly (readonly string[])[],
  seed: string,
): Steps<readonly TagFigures[]> {
  const places = new Map<string, number[]>();
  tags.forEach((list, index) => {
    for (const tag of list) places.set(tag, [...(places.get(tag) ?? []), index]);
  });
  const frequent = [...places].sort(([a, one], [b, two]) => two.length - one.length || (a < b ? -1 : 1));
  const groups: TagFigures[] = [];
  for (const [tag, indexes] of frequent.slice(0, MOST_TAGS)) {
    const ofTag = new Map([...values].map(([metric, list]) => [metric, indexes.map((index) => list[index] ?? null)]));
    groups.push({ tag, metrics: yield* figuresOf({ name: `${name}/${tag}`, values: ofTag }, seed) });
  }
  return groups;
}

/** One side of a comparison. */
export interface Compared {
  readonly variant: VariantValues;
  readonly against: VariantValues;
  readonly isBaseline: boolean;
}

/** Paired comparisons, their p-values corrected together. */
export function* compareAll(
  pairs: readonly Compared[],
  metrics: readonly string[],
  seed: string,
): Steps<readonly Comparison[]> {
  const raw: Comparison[] = [];
  for (const { variant, against, isBaseline } of pairs) {
    for (const metric of metrics) {
      const differences = differencesOf(variant.values.get(metric), against.values.get(metric));
      const of = `${seed}/${variant.name}/${isBaseline ? 'baseline' : against.name}/${metric}`;
      const interval = yield* intervalOfDifferences(differences, of);
      const p_value = differences.length === 0 ? null : yield* pairedPermutationSteps(differences, { seed: of });
      raw.push({
        metric,
        variant: variant.name,
        against: against.name,
        against_baseline: isBaseline,
        difference: differences.length === 0 ? null : meanOf(differences),
        ...interval,
        n: differences.length,
        p_value,
        p_adjusted: null,
        significant: false,
        smallest_detectable: smallestDetectableDifference(differences),
      });
      yield;
    }
  }
  const tested = raw.filter(({ p_value }) => p_value !== null);
  const adjusted = holmAdjusted(tested.map(({ p_value }) => p_value ?? 1));
  const corrected = new Map(tested.map((one, index) => [one, adjusted[index] ?? 1]));
  return raw.map((one) => {
    const p = corrected.get(one) ?? null;
    return { ...one, p_adjusted: p, significant: p !== null && p <= LEVEL };
  });
}

/** Percentiles by the nearest rank; null where nothing was measured. */
export function latencyOf(milliseconds: readonly number[]): LatencyFigures | null {
  if (milliseconds.length === 0) return null;
  const sorted = [...milliseconds].sort((a, b) => a - b);
  const at = (share: number): number => sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0;
  return { p50: at(0.5), p90: at(0.9), p95: at(0.95), p99: at(0.99), max: at(1) };
}

function* figureOf(values: readonly number[], seed: string): Steps<MetricFigure> {
  if (values.length === 0) return { mean: null, low: null, high: null, n: 0 };
  const interval = yield* bootstrapSteps(values, { seed, bounds: BOUNDS });
  return { mean: meanOf(values), low: interval?.low ?? null, high: interval?.high ?? null, n: values.length };
}

/** Of pairs that all differ by nothing the interval is exact: there is no regression, by chance or otherwise. */
function* intervalOfDifferences(differences: readonly number[], seed: string): Steps<Pick<Comparison, 'low' | 'high'>> {
  if (differences.length > 0 && differences.every((one) => one === 0)) return { low: 0, high: 0 };
  const interval = yield* bootstrapSteps(differences, { seed });
  return { low: interval?.low ?? null, high: interval?.high ?? null };
}

function differencesOf(
  ours: readonly (number | null)[] = [],
  theirs: readonly (number | null)[] = [],
): readonly number[] {
  return ours.flatMap((one, index) => {
    const other = theirs[index] ?? null;
    return one === null || other === null ? [] : [one - other];
  });
}

function present(values: readonly (number | null)[]): number[] {
  return values.filter((value) => value !== null);
}
