import { totalmem } from 'node:os';

/** What the machine has, or its container may take, in bytes. A limit that is no limit is 0 or beyond what there is. */
export function availableMemory(): number {
  const allowed = process.constrainedMemory();
  return allowed > 0 ? Math.min(allowed, totalmem()) : totalmem();
}
