/** Logistic regression with a ridge, over rows of numbers: Newton's method with the signs in their own deviations. */

const STEPS = 30;
/** Changes below this end the search. */
const ENOUGH = 1e-7;

/**
 * A sign that would speak against its direction is left out, the one that does so most first.
 * @param {number[][]} rows
 * @param {number[]} wanted 1 or 0 for each row
 * @param {{ ridge: number, directions: number[] }} how 0: either way
 */
export function fitLogistic(rows, wanted, { ridge, directions }) {
  const signs = rows[0].map((_, at) => scaleOf(rows.map((row) => row[at])));
  let used = signs.map((_, at) => at);
  for (;;) {
    const scaled = rows.map((row) => [1, ...used.map((at) => (row[at] - signs[at].mean) / signs[at].spread)]);
    const [constant, ...factors] = newton(scaled, wanted, ridge);
    const against = factors.map((factor, n) => factor * directions[used[n]]);
    const worst = Math.min(0, ...against);
    if (worst === 0) {
      const weights = used.map((at, n) => ({ at, factor: factors[n] }));
      return (row) =>
        weights.reduce(
          (sum, { at, factor }) => sum + (factor * (row[at] - signs[at].mean)) / signs[at].spread,
          constant,
        );
    }
    used = used.filter((_, n) => against[n] !== worst);
  }
}

function scaleOf(values) {
  const mean = average(values);
  return { mean, spread: Math.sqrt(average(values.map((value) => (value - mean) ** 2))) || 1 };
}

/** The factors, that of the constant first; it alone is not held back. */
function newton(rows, wanted, ridge) {
  const width = rows[0].length;
  let factors = Array.from({ length: width }, () => 0);
  for (let step = 0; step < STEPS; step += 1) {
    const gradient = factors.map((factor, at) => (at === 0 ? 0 : -ridge * factor));
    const curve = factors.map((_, at) => factors.map((__, other) => (at === other && at > 0 ? ridge : 0)));
    for (const [n, row] of rows.entries()) {
      const chance = 1 / (1 + Math.exp(-dot(factors, row)));
      for (let at = 0; at < width; at += 1) {
        gradient[at] += (wanted[n] - chance) * row[at];
        for (let other = 0; other < width; other += 1) curve[at][other] += chance * (1 - chance) * row[at] * row[other];
      }
    }
    const change = solve(curve, gradient);
    factors = factors.map((factor, at) => factor + change[at]);
    if (Math.max(...change.map(Math.abs)) < ENOUGH) break;
  }
  return factors;
}

/** Share of pairs of one with and one without that are in order. */
export function areaOf(some, others) {
  const won = (one) => average(others.map((other) => (one > other ? 1 : one === other ? 0.5 : 0)));
  return average(some.map(won));
}

function average(values) {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function dot(some, others) {
  return some.reduce((sum, value, at) => sum + value * others[at], 0);
}

/** Gauss with the greatest pivot. */
function solve(matrix, right) {
  const rows = matrix.map((row, at) => [...row, right[at]]);
  for (let at = 0; at < rows.length; at += 1) {
    const pivot = rows
      .slice(at)
      .reduce((best, row, n) => (Math.abs(row[at]) > Math.abs(rows[best][at]) ? at + n : best), at);
    [rows[at], rows[pivot]] = [rows[pivot], rows[at]];
    for (let other = 0; other < rows.length; other += 1) {
      if (other === at) continue;
      const factor = rows[other][at] / rows[at][at];
      for (let column = at; column <= rows.length; column += 1) rows[other][column] -= factor * rows[at][column];
    }
  }
  return rows.map((row, at) => row[rows.length] / row[at]);
}
