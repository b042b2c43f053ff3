import { MemoryRelief } from './memory-relief.js';

let relief: MemoryRelief | undefined;

/** Lets requests be served between two pieces of computing. @throws the reason of `signal` once it is aborted. */
export async function yieldToRequests(signal?: AbortSignal): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
  signal?.throwIfAborted();
}

/** The same between two pieces of a long document; frees memory, too. Counts the growth of the process from its first call on. */
export function yieldAndFreeMemory(): Promise<void> {
  relief ??= new MemoryRelief();
  relief.relieve();
  return yieldToRequests();
}
