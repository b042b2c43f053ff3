import { finish, type Steps } from '#libs/common';
import { normalQuantile, normalShare, studentQuantile } from './normal.js';
import { seededRandom } from './seeded-random.js';

export interface Interval {
  readonly low: number;
  readonly high: number;
}

export interface BootstrapOptions {
  /** The same seed and values give the same interval, to the last digit. */
  readonly seed: string;
  /** Share of intervals that hold the true mean. Default 0.95. */
  readonly confidence?: number;
  /** Samples drawn with replacement. Default 4,000. */
  readonly resamples?: number;
  /** Least and greatest value that there can be, where known: the interval of equal values at such a border is the exact one. */
  readonly bounds?: Interval;
}

export const DEFAULT_CONFIDENCE = 0.95;
export const DEFAULT_RESAMPLES = 4_000;
/** After this many a computation in steps may pause. */
export const DRAWS_PER_STEP = 10_000;

/**
 * Interval of the mean by the bias-corrected and accelerated bootstrap (BCa; Efron 1987), its quantiles widened for small samples as
 * Hesterberg (2015, section 4.2) does it: percentiles of resamples are too narrow by sqrt((n - 1) / n) and know no Student's t.
 * Where all values are equal the bootstrap says nothing: at a border of `bounds` the exact interval of a share is given (Clopper and
 * Pearson: no failure in n), elsewhere the value itself. Null for fewer than two values.
 */
export function bootstrapInterval(values: readonly number[], options: BootstrapOptions): Interval | null {
  return finish(bootstrapSteps(values, options));
}

/** The same in steps of some ten thousand draws. */
export function* bootstrapSteps(values: readonly number[], options: BootstrapOptions): Steps<Interval | null> {
  if (values.length < 2) return null;
  const tail = (1 - (options.confidence ?? DEFAULT_CONFIDENCE)) / 2;
  if (values.every((value) => value === values[0]))
    return intervalOfEqual(values[0]!, values.length, tail, options.bounds);
  const mean = meanOf(values);
  const means = yield* resampledMeans(values, options);
  const bias = normalQuantile(clampedShare(shareBelow(means, mean), means.length));
  const acceleration = accelerationOf(values, mean);
  const widened =
    Math.sqrt(values.length / (values.length - 1)) * studentQuantile(normalQuantile(1 - tail), values.length - 1);
  const quantile = (z: number): number => {
    const corrected = bias + (bias + z) / (1 - acceleration * (bias + z));
    return valueAt(means, normalShare(corrected));
  };
  return { low: quantile(-widened), high: quantile(widened) };
}

function intervalOfEqual(value: number, count: number, tail: number, bounds: Interval | undefined): Interval {
  if (bounds === undefined) return { low: value, high: value };
  const reach = (1 - tail ** (1 / count)) * (bounds.high - bounds.low);
  if (value === bounds.high) return { low: value - reach, high: value };
  if (value === bounds.low) return { low: value, high: value + reach };
  return { low: value, high: value };
}

function* resampledMeans(values: readonly number[], options: BootstrapOptions): Steps<Float64Array> {
  const random = seededRandom(options.seed);
  const source = Float64Array.from(values);
  const means = new Float64Array(options.resamples ?? DEFAULT_RESAMPLES);
  for (let sample = 0; sample < means.length; sample += 1) {
    let sum = 0;
    for (let draw = 0; draw < source.length; draw += 1) sum += source[Math.floor(random() * source.length)]!;
    means[sample] = sum / source.length;
    if (sample % Math.ceil(DRAWS_PER_STEP / source.length) === 0) yield;
  }
  return means.sort();
}

/** Share of resampled means below the mean; those equal to it count half. Sums in another order differ in their last digits. */
function shareBelow(means: Float64Array, mean: number): number {
  const close = 1e-12 * Math.max(1, Math.abs(mean));
  let below = 0;
  for (const one of means) below += one < mean - close ? 1 : one <= mean + close ? 0.5 : 0;
  return below / means.length;
}

/** Never 0 or 1, whose quantiles are infinite. */
function clampedShare(share: number, count: number): number {
  return Math.min(1 - 0.5 / count, Math.max(0.5 / count, share));
}

/** A sixth of the skewness of the mean, by the jackknife. */
function accelerationOf(values: readonly number[], mean: number): number {
  let squares = 0;
  let cubes = 0;
  for (const value of values) {
    const distance = value - mean;
    squares += distance ** 2;
    cubes += distance ** 3;
  }
  return cubes / (6 * squares ** 1.5);
}

/** Quantile of sorted values, between its neighbours in proportion. */
function valueAt(sorted: Float64Array, share: number): number {
  const place = Math.min(sorted.length - 1, Math.max(0, share * (sorted.length + 1) - 1));
  const before = Math.floor(place);
  const low = sorted[before]!;
  return low + (sorted[Math.min(before + 1, sorted.length - 1)]! - low) * (place - before);
}

export function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
