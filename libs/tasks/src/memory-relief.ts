import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const MIB = 1024 * 1024;
/** Growth of the process after which garbage is collected, in bytes. */
const GROWTH = 48 * MIB;
/**
 * Live objects of which a whole collection holds the thread no longer than some 50 ms, in bytes. Its time grows with what is alive, and
 * not with what is thrown away: beside the words of large datasets it would be half a second.
 */
const HEAP_MOST = 96 * MIB;

type Collection =
  | { readonly type: 'minor'; readonly execution: 'sync' }
  | { readonly type: 'major'; readonly execution: 'sync'; readonly flavor: 'last-resort' };

const OF_ALL: Collection = { type: 'major', execution: 'sync', flavor: 'last-resort' };
/** Of what was made lately, as most buffers were; the rest is left to the runtime, which collects it bit by bit. */
const OF_THE_YOUNG: Collection = { type: 'minor', execution: 'sync' };

/** What a process takes and how its garbage is collected; another one replaces it in tests. */
export interface ProcessMemory {
  resident(): number;
  heap(): number;
  collect(what: Collection): void;
}

/**
 * A long document makes many short-lived buffers, which the runtime lets grow to hundreds of megabytes although only tens are in use. Collecting
 * them after each growth of `GROWTH` keeps the memory of a process that ingests 300 MB of text within 150 MB of what it had, at some 30 ms for
 * each collection.
 */
export class MemoryRelief {
  private floor: number;

  constructor(private readonly memory: ProcessMemory = ownMemory()) {
    this.floor = memory.resident();
  }

  /** Collects if the process has grown; cheap otherwise. */
  relieve(): void {
    const size = this.memory.resident();
    if (size < this.floor) this.floor = size;
    if (size - this.floor < GROWTH) return;
    this.memory.collect(this.memory.heap() > HEAP_MOST ? OF_THE_YOUNG : OF_ALL);
    this.floor = this.memory.resident();
  }
}

function ownMemory(): ProcessMemory {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as ProcessMemory['collect'];
  return { resident: () => process.memoryUsage.rss(), heap: () => getHeapStatistics().used_heap_size, collect };
}
