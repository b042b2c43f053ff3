import { totalmem } from 'node:os';

const MEBIBYTE = 1_048_576;
const SHARE = 1 / 8;
const LEAST_MB = 128;
const MOST_MB = 2048;

/** Bytes of memory that the machine has or that its container may take. A container without a limit says 0, or more than the machine has. */
function availableBytes(): number {
  const allowed = process.constrainedMemory();
  return allowed > 0 ? Math.min(allowed, totalmem()) : totalmem();
}

/** Bytes of memory for the features of chunks: `megabytes` as set, and for 0 a share of what is there. */
export function searchCacheBytes(megabytes: number, available = availableBytes()): number {
  if (megabytes > 0) return megabytes * MEBIBYTE;
  return Math.min(MOST_MB * MEBIBYTE, Math.max(LEAST_MB * MEBIBYTE, Math.floor(available * SHARE)));
}
