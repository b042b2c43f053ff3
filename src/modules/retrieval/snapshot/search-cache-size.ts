import { totalmem } from 'node:os';

const MEBIBYTE = 1_048_576;
const SHARE = 1 / 8;
const LEAST_MB = 128;
const MOST_MB = 2048;

/** What the machine has, or its container may take, in bytes. A limit that is no limit is 0 or beyond what there is. */
function availableBytes(): number {
  const allowed = process.constrainedMemory();
  return allowed > 0 ? Math.min(allowed, totalmem()) : totalmem();
}

/** Bytes of memory for the features of chunks: `megabytes` as set, and for 0 a share of what is there. */
export function searchCacheBytes(megabytes: number, available = availableBytes()): number {
  if (megabytes > 0) return megabytes * MEBIBYTE;
  return Math.min(MOST_MB * MEBIBYTE, Math.max(LEAST_MB * MEBIBYTE, Math.floor(available * SHARE)));
}
