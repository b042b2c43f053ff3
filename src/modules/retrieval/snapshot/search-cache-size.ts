import { availableMemory } from '#libs/config';

const MEBIBYTE = 1_048_576;
const SHARE = 1 / 8;
const LEAST_MB = 128;
const MOST_MB = 2048;

/** Bytes of memory for the features of chunks: `megabytes` as set, and for 0 a share of what is there. */
export function searchCacheBytes(megabytes: number, available = availableMemory()): number {
  if (megabytes > 0) return megabytes * MEBIBYTE;
  return Math.min(MOST_MB * MEBIBYTE, Math.max(LEAST_MB * MEBIBYTE, Math.floor(available * SHARE)));
}
