/** A vector at its place in memory, with its length, which every comparison needs. */
export interface MeasuredVector {
  /** Holds the vector from index `at`; there may be others around it. */
  readonly values: Float32Array;
  readonly at: number;
  readonly dimensions: number;
  readonly length: number;
}

export function measureVector(values: Float32Array): MeasuredVector {
  return {
    values,
    at: 0,
    dimensions: values.length,
    length: Math.sqrt(dotProduct(values, 0, values, 0, values.length)),
  };
}

/**
 * Cosine of two vectors of one embedding space, -1 to 1; 0 when one of them is all zeros. Summed in double precision in the
 * order of the dimensions, so that the same float32 vectors give the same bits on every store and machine. Symmetric.
 */
export function cosineOf(a: MeasuredVector, b: MeasuredVector): number {
  if (a.dimensions !== b.dimensions) throw new RangeError('vectors of different lengths cannot be compared');
  const scale = a.length * b.length;
  if (scale === 0) return 0;
  return Math.max(-1, Math.min(1, dotProduct(a.values, a.at, b.values, b.at, a.dimensions) / scale));
}

function dotProduct(a: Float32Array, fromA: number, b: Float32Array, fromB: number, count: number): number {
  let sum = 0;
  for (let index = 0; index < count; index += 1) sum += a[fromA + index]! * b[fromB + index]!;
  return sum;
}
