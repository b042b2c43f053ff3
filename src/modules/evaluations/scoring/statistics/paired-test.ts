import { finish, type Steps } from '#libs/common';
import { DRAWS_PER_STEP, meanOf } from './bootstrap.js';
import { normalQuantile } from './normal.js';
import { seededRandom } from './seeded-random.js';

/** Up to this many differing pairs all sign patterns are counted: 2^16. */
const MAX_ENUMERATED = 16;
export const DEFAULT_PERMUTATIONS = 10_000;

export interface PairedTestOptions {
  /** The same seed and differences give the same result. */
  readonly seed: string;
  /** Sign patterns drawn where they are too many to count. Default 10,000. */
  readonly permutations?: number;
}

/**
 * Two-sided p-value of the paired permutation test (Fisher's randomisation test; Smucker, Allan and Carterette 2007): how often a mean
 * difference at least as far from 0 comes about when each difference could as well have had the other sign. Exact for up to 16 pairs
 * that differ, else (1 + hits) / (1 + permutations). 1 where no pair differs.
 */
export function pairedPermutationTest(differences: readonly number[], options: PairedTestOptions): number {
  return finish(pairedPermutationSteps(differences, options));
}

/** The same in steps of some ten thousand draws. */
export function* pairedPermutationSteps(differences: readonly number[], options: PairedTestOptions): Steps<number> {
  const differing = differences.filter((difference) => difference !== 0);
  if (differing.length === 0) return 1;
  const observed = Math.abs(differing.reduce((sum, one) => sum + one, 0));
  const reached = observed - 1e-12 * Math.max(1, observed);
  return yield* differing.length <= MAX_ENUMERATED
    ? exactShare(differing, reached)
    : drawnShare(differing, reached, options);
}

function* exactShare(differences: readonly number[], reached: number): Steps<number> {
  const patterns = 2 ** differences.length;
  let hits = 0;
  for (let pattern = 0; pattern < patterns; pattern += 1) {
    let sum = 0;
    for (let bit = 0; bit < differences.length; bit += 1)
      sum += (pattern >> bit) & 1 ? differences[bit]! : -differences[bit]!;
    if (Math.abs(sum) >= reached) hits += 1;
    if (pattern % Math.ceil(DRAWS_PER_STEP / differences.length) === 0) yield;
  }
  return hits / patterns;
}

function* drawnShare(differences: readonly number[], reached: number, options: PairedTestOptions): Steps<number> {
  const random = seededRandom(options.seed);
  const permutations = options.permutations ?? DEFAULT_PERMUTATIONS;
  let hits = 0;
  for (let round = 0; round < permutations; round += 1) {
    let sum = 0;
    for (const difference of differences) sum += random() < 0.5 ? difference : -difference;
    if (Math.abs(sum) >= reached) hits += 1;
    if (round % Math.ceil(DRAWS_PER_STEP / differences.length) === 0) yield;
  }
  return (1 + hits) / (1 + permutations);
}

/**
 * P-values corrected for several comparisons, in the order given: Holm's step-down method, which keeps the chance of one false alarm
 * among all of them below the level and is never weaker than Bonferroni's.
 */
export function holmAdjusted(pValues: readonly number[]): readonly number[] {
  const order = pValues
    .map((value, index) => ({ value, index }))
    .sort((a, b) => a.value - b.value || a.index - b.index);
  const adjusted = new Array<number>(pValues.length);
  let greatest = 0;
  order.forEach(({ value, index }, rank) => {
    greatest = Math.max(greatest, Math.min(1, value * (pValues.length - rank)));
    adjusted[index] = greatest;
  });
  return adjusted;
}

/**
 * The smallest true mean difference that this many pairs show in 80 of 100 runs at the two-sided 5 % level, by the normal approximation:
 * (z₀.₉₇₅ + z₀.₈) · sd / √n. Null for fewer than two pairs, or where no pair differs, which tells nothing about how far pairs can differ.
 */
export function smallestDetectableDifference(differences: readonly number[]): number | null {
  if (differences.length < 2) return null;
  const mean = meanOf(differences);
  const variance = differences.reduce((sum, one) => sum + (one - mean) ** 2, 0) / (differences.length - 1);
  if (variance === 0) return null;
  return (normalQuantile(0.975) + normalQuantile(0.8)) * Math.sqrt(variance / differences.length);
}
