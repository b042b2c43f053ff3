const MIB = 1024 * 1024;
const SHARE = 0.05;
const LEAST = 256 * MIB;
const MOST = 10 * 1024 * MIB;
const MOST_SHARE = 0.25;

/** Bytes of a volume that stay free: what is configured, else 5 % of it, at least 256 MiB, at most 10 GiB, never more than a quarter. */
export function reserveOf(totalBytes: number, configured?: number): number {
  if (configured !== undefined) return configured;
  const share = Math.min(MOST, Math.max(LEAST, totalBytes * SHARE));
  return Math.floor(Math.min(share, totalBytes * MOST_SHARE));
}
