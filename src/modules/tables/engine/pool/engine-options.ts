import { tmpdir } from 'node:os';

/** Limits of the processes that hold tables. */
export interface TableEngineOptions {
  /** Memory of all processes together, in bytes; above it the least recently used processes are ended. */
  readonly memoryBytes: number;
  /** Statements carried out at the same time. */
  readonly concurrency: number;
  readonly threads: number;
  /** Maximum number of waiting statements of one owner, and of all owners. */
  readonly maxWaitingOfOwner: number;
  readonly maxWaiting: number;
  /**
   * Milliseconds after which a running statement is stopped in favour of a waiting owner without a running one; it is executed again in its next
   * turn.
   */
  readonly turnMs: number;
  /** Time to load the tables of a statement. */
  readonly loadMs: number;
  /** Milliseconds in which a statement must end after its time limit, or after its caller left; then its process is killed. */
  readonly graceMs: number;
  /** A process without work ends after this time. */
  readonly idleMs: number;
  readonly maxResultBytes: number;
  /** Folder for the files that are passed to processes; created if it is missing. */
  readonly workFolder: string;
  /** Folders that no process may see, wherever they lie. */
  readonly hidden: readonly string[];
  /** Whether processes get namespaces of their own where the machine allows it. */
  readonly namespaces: boolean;
}

export const DEFAULT_ENGINE_OPTIONS: TableEngineOptions = {
  memoryBytes: 512 * 1024 * 1024,
  concurrency: 2,
  threads: 2,
  maxWaitingOfOwner: 20,
  maxWaiting: 100,
  turnMs: 5_000,
  loadMs: 60_000,
  graceMs: 1000,
  idleMs: 300_000,
  maxResultBytes: 8 * 1024 * 1024,
  workFolder: tmpdir(),
  hidden: [],
  namespaces: true,
};

/** Part of the memory for tables that one process may use, for its tables and its statements. */
const PROCESS_SHARE = 0.5;
/** Memory of a process beside that of the engine: code, stacks and the rows of an answer. */
const BASE_BYTES = 640 * 1024 * 1024;

/** What the engine of one process may use. */
export function engineBytesOf({ memoryBytes }: TableEngineOptions): number {
  return Math.floor(memoryBytes * PROCESS_SHARE);
}

/** Data segment of one process. */
export function processBytesOf(options: TableEngineOptions): number {
  return engineBytesOf(options) + BASE_BYTES;
}
