/** A vector with its length, which every comparison needs. */
export interface MeasuredVector {
  readonly values: Float32Array;
  readonly length: number;
}

export function measureVector(values: Float32Array): MeasuredVector {
  return { values, length: Math.sqrt(dotProduct(values, values)) };
}

/**
 * Cosine of two vectors of one embedding space, -1 to 1; 0 when one of them is all zeros. Summed in double precision in the
 * order of the dimensions, so that the same float32 vectors give the same bits on every store and machine. Symmetric.
 */
export function cosineOf(a: MeasuredVector, b: MeasuredVector): number {
  if (a.values.length !== b.values.length) throw new RangeError('vectors of different lengths cannot be compared');
  const scale = a.length * b.length;
  return scale === 0 ? 0 : Math.max(-1, Math.min(1, dotProduct(a.values, b.values) / scale));
}

function dotProduct(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let index = 0; index < a.length; index += 1) sum += a[index]! * b[index]!;
  return sum;
}
