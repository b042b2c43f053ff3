import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Growth of the process after which its garbage is collected, in bytes. */
const GROWTH = 48 * 1024 * 1024;

/**
 * A long document makes many short-lived buffers, which the runtime lets pile up to hundreds of megabytes although some tens
 * are in use. Collecting them after each growth of `GROWTH` keeps the memory of a process that ingests 300 MB of text within
 * 150 MB of what it had, at some 30 ms for each collection.
 */
export class MemoryRelief {
  private readonly collect: (options: { type: 'major'; execution: 'sync'; flavor: 'last-resort' }) => void;
  private floor = process.memoryUsage.rss();

  constructor() {
    setFlagsFromString('--expose-gc');
    this.collect = runInNewContext('gc') as MemoryRelief['collect'];
  }

  /** Collects if the process has grown; cheap otherwise. */
  relieve(): void {
    const size = process.memoryUsage.rss();
    if (size < this.floor) this.floor = size;
    if (size - this.floor < GROWTH) return;
    this.collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
    this.floor = process.memoryUsage.rss();
  }
}
