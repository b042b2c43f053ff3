/**
 * Numbers that look random and are the same for the same seed on every machine (sfc32 by Chris Doty-Humphrey, seeded with
 * 32-bit FNV-1a of the text). Not for secrets.
 */
export type RandomSource = () => number;

const WARM_UP_ROUNDS = 15;

/** A source of numbers in [0, 1) with 32 bits each. */
export function seededRandom(seed: string): RandomSource {
  let a = fnv1a(`${seed}\u0000a`);
  let b = fnv1a(`${seed}\u0000b`);
  let c = fnv1a(`${seed}\u0000c`);
  let counter = 1;
  const next = (): number => {
    const sum = (a + b + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + sum) | 0;
    return (sum >>> 0) / 2 ** 32;
  };
  for (let round = 0; round < WARM_UP_ROUNDS; round += 1) next();
  return next;
}

function fnv1a(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return hash | 0;
}
