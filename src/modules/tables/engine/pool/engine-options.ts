import { tmpdir } from 'node:os';

/** Limits of the processes that hold tables. */
export interface TableEngineOptions {
  /** Memory of all processes together, above which those go that were used least recently. */
  readonly memoryBytes: number;
  /** Statements carried out at the same time. */
  readonly concurrency: number;
  readonly threads: number;
  /** Statements of one owner, and of all, that wait for their turn. */
  readonly maxWaitingOfOwner: number;
  readonly maxWaiting: number;
  /** A statement that runs for longer ends for another owner who waits and has none that runs; it is carried out once more in its turn. */
  readonly turnMs: number;
  /** Time to load the tables of a statement. */
  readonly loadMs: number;
  /** After its time limit, or when no one waits for it, a statement has this long to end; then its process is killed. */
  readonly graceMs: number;
  /** A process without work ends after this time. */
  readonly idleMs: number;
  readonly maxResultBytes: number;
  /** Folder for the files that are handed to processes; it is made where it is missing. */
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
/** What a process takes besides: its code, stacks and the rows of an answer. */
const BASE_BYTES = 640 * 1024 * 1024;

/** What the engine of one process may use. */
export function engineBytesOf({ memoryBytes }: TableEngineOptions): number {
  return Math.floor(memoryBytes * PROCESS_SHARE);
}

/** Data segment of one process. */
export function processBytesOf(options: TableEngineOptions): number {
  return engineBytesOf(options) + BASE_BYTES;
}
