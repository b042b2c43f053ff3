import { readFileSync } from 'node:fs';

const WATCH_MS = 200;
/** Linux reports memory in pages; all platforms of Node with `/proc` use this size by default. */
const PAGE_BYTES = 4096;

/**
 * Watches the resident memory of a process where no `prlimit` bounds it, and calls back once when it is over the limit.
 * Without `/proc` it watches nothing: there the limit of the JavaScript heap and the deadline remain.
 */
export function watchMemory(pid: number | undefined, limitBytes: number, onExceeded: () => void): () => void {
  const timer = setInterval(() => {
    const resident = pid === undefined ? undefined : residentBytes(pid);
    if (resident === undefined || resident <= limitBytes) return;
    clearInterval(timer);
    onExceeded();
  }, WATCH_MS);
  return () => clearInterval(timer);
}

/** Resident bytes of a process, undefined when it is gone or the platform does not tell. */
export function residentBytes(pid: number): number | undefined {
  try {
    return Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]) * PAGE_BYTES;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ESRCH') return undefined;
    throw error;
  }
}
