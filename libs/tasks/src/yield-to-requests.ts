import { MemoryRelief } from './memory-relief.js';

const relief = new MemoryRelief();

/** Lets requests be served between two pieces of computing. */
export function yieldToRequests(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** The same between two pieces of a long document; frees memory, too. */
export function yieldAndFreeMemory(): Promise<void> {
  relief.relieve();
  return yieldToRequests();
}
