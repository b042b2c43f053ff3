/** The standard normal distribution and Student's t, as far as intervals of means need them. */

/** Share of the standard normal distribution below `z`; absolute error below 1.2e-7 (Numerical Recipes' erfc). */
export function normalShare(z: number): number {
  const x = Math.abs(z) / Math.SQRT2;
  const t = 1 / (1 + x / 2);
  const series =
    -1.26551223 +
    t *
      (1.00002368 +
        t *
          (0.37409196 +
            t *
              (0.09678418 +
                t *
                  (-0.18628806 +
                    t * (0.27886807 + t * (-1.13520398 + t * (1.48851587 + t * (-0.82215223 + t * 0.17087277))))))));
  const tail = (t * Math.exp(-x * x + series)) / 2;
  return z < 0 ? tail : 1 - tail;
}

/**
 * The value below which the share `p` of the standard normal distribution lies: Acklam's rational approximation (relative error below
 * 1.15e-9). -Infinity for 0 and Infinity for 1.
 * @throws RangeError for a share outside of 0..1
 */
export function normalQuantile(p: number): number {
  if (!(p >= 0 && p <= 1)) throw new RangeError(`${p} is no share: 0 to 1.`);
  if (p === 0 || p === 1) return p === 0 ? -Infinity : Infinity;
  const edge = 0.02425;
  if (p < edge) return tailQuantile(Math.sqrt(-2 * Math.log(p)));
  if (p > 1 - edge) return -tailQuantile(Math.sqrt(-2 * Math.log(1 - p)));
  const q = p - 0.5;
  const r = q * q;
  return (
    ((((((-3.969683028665376e1 * r + 2.209460984245205e2) * r - 2.759285104469687e2) * r + 1.38357751867269e2) * r -
      3.066479806614716e1) *
      r +
      2.506628277459239) *
      q) /
    (((((-5.447609879822406e1 * r + 1.615858368580409e2) * r - 1.556989798598866e2) * r + 6.680131188771972e1) * r -
      1.328068155288572e1) *
      r +
      1)
  );
}

function tailQuantile(q: number): number {
  return (
    (((((-7.784894002430293e-3 * q - 3.223964580411365e-1) * q - 2.400758277161838) * q - 2.549732539343734) * q +
      4.374664141464968) *
      q +
      2.938163982698783) /
    ((((7.784695709041462e-3 * q + 3.224671290700398e-1) * q + 2.445134137142996) * q + 3.754408661907416) * q + 1)
  );
}

/** Student's t in place of the normal quantile `z`, by Hill's expansion (good to three digits from five degrees of freedom on). */
export function studentQuantile(z: number, degreesOfFreedom: number): number {
  const n = degreesOfFreedom;
  const z3 = z ** 3;
  const z5 = z ** 5;
  return z + (z3 + z) / (4 * n) + (5 * z5 + 16 * z3 + 3 * z) / (96 * n * n);
}
