import { statfs } from 'node:fs/promises';
import { totalmem } from 'node:os';

/** How the embedded store works; the defaults suit two cores and hundreds of datasets. */
export interface LanceDbOptions {
  /** Folder of the store; made when absent. */
  readonly directory: string;
  /** Up to this many rows per table vectors are compared one by one: 50,000 × 384 take about 100 ms, and no index can miss a row. As many as are compared in memory by default, so that it does not matter who does it. */
  readonly exactVectorsBelow?: number;
  /** How long a write after a pause waits for others to share its commit, in milliseconds; at most 50. */
  readonly gatherMs?: number;
  /** Rows appended to a table before it is optimised; a larger table waits for a tenth of its rows. */
  readonly optimiseAfterRows?: number;
  /** Commits to a table before it is optimised: each leaves a file, and many files make searches slow. */
  readonly optimiseAfterCommits?: number;
  /** A table that was written to is optimised when it has rested so long, in milliseconds. */
  readonly optimiseAfterIdleMs?: number;
  /** How long replaced files are kept for searches that still read them, in milliseconds. */
  readonly keepVersionsMs?: number;
  /** Tables kept open. */
  readonly maxOpenTables?: number;
  /**
   * Memory for indexes that LanceDB keeps between searches, in bytes; its own default is 6 GB. An index that does not fit is read from the disk
   * by each search: that of a million vectors of 384 dimensions takes some 700 MB. For tables whose indexes are large.
   */
  readonly indexCacheBytes?: number;
  /** The same for all tables whose indexes are small. Each commit leaves some in it, which is of no use after the next ones: it is full after some hundred documents. */
  readonly smallIndexCacheBytes?: number;
  /** Most bytes on the disk of the indexes of a table that are small. */
  readonly smallIndexBytes?: number;
  /** The same for files' metadata; its own default is 1 GB. Each commit adds some, which are of no use after the next ones. */
  readonly metadataCacheBytes?: number;
  /** How many bytes are free where the folder lies; those of its volume when absent. */
  readonly freeBytes?: () => Promise<number>;
  /** Deadline of a call that names none, in milliseconds. */
  readonly defaultDeadlineMs?: number;
}

export type LanceDbSettings = Required<LanceDbOptions>;

const MAX_GATHER_MS = 50;
const MEBIBYTE = 1_048_576;
const INDEX_CACHE = { share: 1 / 16, least: 256 * MEBIBYTE, most: 1_024 * MEBIBYTE };

export function lanceDbSettings(options: LanceDbOptions): LanceDbSettings {
  return {
    directory: options.directory,
    exactVectorsBelow: options.exactVectorsBelow ?? 50_000,
    gatherMs: Math.min(options.gatherMs ?? 5, MAX_GATHER_MS),
    optimiseAfterRows: options.optimiseAfterRows ?? 2_000,
    optimiseAfterCommits: options.optimiseAfterCommits ?? 200,
    optimiseAfterIdleMs: options.optimiseAfterIdleMs ?? 3_000,
    keepVersionsMs: options.keepVersionsMs ?? 10_000,
    maxOpenTables: options.maxOpenTables ?? 128,
    indexCacheBytes: options.indexCacheBytes ?? indexCacheBytes(),
    smallIndexCacheBytes: options.smallIndexCacheBytes ?? 64 * MEBIBYTE,
    smallIndexBytes: options.smallIndexBytes ?? 16 * MEBIBYTE,
    metadataCacheBytes: options.metadataCacheBytes ?? 8 * MEBIBYTE,
    freeBytes: options.freeBytes ?? (() => freeBytesOf(options.directory)),
    defaultDeadlineMs: options.defaultDeadlineMs ?? 60_000,
  };
}

/** A share of the memory that there is, or that the container may take; no limit is 0 or beyond what there is. */
function indexCacheBytes(): number {
  const { share, least, most } = INDEX_CACHE;
  const memory = Math.min(process.constrainedMemory() || Infinity, totalmem());
  return Math.min(most, Math.max(least, Math.floor(memory * share)));
}

async function freeBytesOf(directory: string): Promise<number> {
  const { bavail, bsize } = await statfs(directory);
  return bavail * bsize;
}
