/**
 * The vector of texts without readable characters, given without a call: providers refuse such texts, and the port promises the same vector for
 * all of them.
 */
export function blankVector(dimensions: number): Float32Array {
  const vector = new Float32Array(dimensions);
  vector[0] = 1;
  return vector;
}

/** True for a text in which no letter, digit or symbol is. */
export function isBlank(text: string): boolean {
  return !/[\p{L}\p{N}\p{S}]/u.test(text);
}

/**
 * The numbers of an answer as vectors of length 1.
 * @throws Error that says what is wrong: too few or too many vectors, another length, a number that is not finite, zeros.
 */
export function unitVectors(
  given: readonly ArrayLike<number>[],
  expected: { readonly count: number; readonly dimensions: number | null },
): Float32Array[] {
  if (given.length !== expected.count) {
    throw new Error(`${given.length} vectors came for ${expected.count} texts`);
  }
  return given.map((numbers) => unitVector(numbers, expected.dimensions));
}

function unitVector(numbers: ArrayLike<number>, dimensions: number | null): Float32Array {
  if (dimensions !== null && numbers.length !== dimensions) {
    throw new Error(`a vector has ${numbers.length} numbers instead of ${dimensions}`);
  }
  let squares = 0;
  for (let at = 0; at < numbers.length; at += 1) {
    const number: unknown = numbers[at];
    if (typeof number !== 'number' || !Number.isFinite(number))
      throw new Error('a vector holds something that is no number');
    squares += number * number;
  }
  if (!(squares > 0) || !Number.isFinite(squares)) throw new Error('a vector has no direction');
  const length = Math.sqrt(squares);
  return Float32Array.from(numbers, (number) => number / length);
}

/** Numbers that came as base64 of little-endian 32-bit floats. @throws Error when it is none */
export function floatsOfBase64(text: string): Float32Array {
  const bytes = Buffer.from(text, 'base64');
  if (bytes.length === 0 || bytes.length % 4 !== 0) throw new Error('a vector is no base64 of 32-bit numbers');
  const floats = new Float32Array(bytes.length / 4);
  for (let at = 0; at < floats.length; at += 1) floats[at] = bytes.readFloatLE(at * 4);
  return floats;
}
