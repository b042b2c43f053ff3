import { rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Logger } from '@nestjs/common';
import type { Table } from '@lancedb/lancedb';
import { folderSize, indexFolder, namesIn } from './folder-size.js';
import type { Lance } from './lance-module.js';
import type { LanceDbSettings } from './lancedb-options.js';

const ATTEMPTS_BESIDE_WRITERS = 3;
/** A larger table waits until this share of its rows is new: each run rewrites the small files and adds to every index. */
const SHARE_OF_ROWS = 0.1;
/** Each run adds a small graph to the vector index, and a search asks all of them; after this many it is built again. */
const VECTOR_INDEX_PARTS = 8;
const VECTOR_INDEX = 'vector_idx';
/** New rows are merged with old ones only when they are in the indexes, which is by the second time. */
const MERGES_MOST = 3;
/** Nothing is older. */
const LONG_AGO = new Date(0);
/** Removing versions begins with a look for files to merge; when there are none it takes no longer. */
const LOOK_MS = 5_000;

/** A table has three or four indexes, each of some parts; this many folders of them hold some that are no longer in use. */
const INDEX_FOLDERS = 24;

/** Left free by a merge of files: what the database takes for its log at once. */
const SPARE_BYTES = 16 * 1_048_576;

/** What maintenance needs of its table. */
export interface MaintainedTable {
  readonly name: string;
  readonly table: Table;
  /** Runs `work` while no commit runs. */
  exclusively(work: () => Promise<void>): Promise<void>;
  /** Removes rows that newer ones have replaced. */
  removeSuperseded(): Promise<void>;
  countChunks(): Promise<number>;
  /** Takes note of how much its indexes take on the disk. */
  noteIndexBytes(bytes: number): void;
}

/** Runs `work` after all work given to it before, of all tables: one optimisation at a time leaves cores for searches. */
export type SerialRunner = (work: () => Promise<void>) => Promise<void>;

/**
 * Keeps one table fast and small in the background: merges files, brings new rows into the indexes, drops replaced versions,
 * makes the vector index when the table has grown. Searches go on meanwhile; writers too, unless they keep winning.
 */
export class TableMaintenance {
  private readonly logger = new Logger('VectorStore');
  private rowsSince = 0;
  private commitsSince = 0;
  private hasOldVersions = false;
  private timer: NodeJS.Timeout | undefined;
  /** From the moment it waits for its turn. */
  private running: Promise<void> | undefined;
  /** From the moment it has its turn. */
  private active: Promise<void> | undefined;
  private closed = false;

  constructor(
    private readonly owner: MaintainedTable,
    private readonly lance: Lance,
    private readonly settings: LanceDbSettings,
    private readonly inTurn: SerialRunner,
  ) {}

  /** True while there is something to do or being done; a table that rests can be closed. */
  get pending(): boolean {
    return this.running !== undefined || this.commitsSince > 0;
  }

  /** To be called after each commit with the rows it added and the rows there are. */
  noteCommit(added: number, total: number): void {
    this.rowsSince += added;
    this.commitsSince += 1;
    const due =
      this.rowsSince >= Math.max(this.settings.optimiseAfterRows, total * SHARE_OF_ROWS) ||
      this.commitsSince >= this.settings.optimiseAfterCommits;
    if (due) this.start();
    else this.startAfter(this.settings.optimiseAfterIdleMs);
  }

  /** Takes up what an earlier process left undone: rows without index, replaced versions. */
  async resume(): Promise<void> {
    const stats = await this.owner.table.indexStats('words_idx');
    if ((stats?.numUnindexedRows ?? 0) > 0) this.commitsSince += 1;
    this.hasOldVersions = true;
    this.scheduleNext();
  }

  /** Does now what is due; resolves when it is done. */
  async settle(): Promise<void> {
    this.start();
    while (this.running !== undefined) await this.running;
  }

  /** No new work; resolves when the work in progress is done. What still waits for its turn is left to the next opening. */
  async close(): Promise<void> {
    this.closed = true;
    clearTimeout(this.timer);
    await this.active;
  }

  private startAfter(ms: number): void {
    clearTimeout(this.timer);
    if (this.closed) return;
    this.timer = setTimeout(() => this.start(), ms);
    this.timer.unref();
  }

  private start(): void {
    if (this.closed || this.running !== undefined) return;
    clearTimeout(this.timer);
    this.running = this.inTurn(() => (this.active = this.run())).finally(() => {
      this.running = undefined;
      this.active = undefined;
      this.scheduleNext();
    });
  }

  private scheduleNext(): void {
    if (this.commitsSince > 0) this.startAfter(this.settings.optimiseAfterIdleMs);
    else if (this.hasOldVersions) this.startAfter(this.settings.keepVersionsMs + this.settings.optimiseAfterIdleMs);
  }

  private async run(): Promise<void> {
    if (this.closed) return;
    this.rowsSince = 0;
    this.commitsSince = 0;
    try {
      await this.owner.removeSuperseded();
      if (!(await this.hasRoom())) return;
      await this.mergeFiles();
      await this.optimise(await this.replacedBefore());
      await this.keepVectorIndex();
      await this.removeStrandedIndexes();
      this.owner.noteIndexBytes(await this.indexBytes());
      // Another run, after the versions of this one have come of age, drops them.
      this.hasOldVersions = (await this.owner.table.listVersions()).length > 1;
    } catch (error) {
      // The table stays right without it, only slower; the next commits, or else the run for old versions, try again.
      this.hasOldVersions = true;
      this.logger.warn({ event: 'vector_store.optimise_failed', table: this.owner.name, error: String(error) });
    }
  }

  /**
   * A merge writes what the table holds now again beside it, and then removes what is replaced. Without room for that it waits: a full
   * volume would stop the database, too. What is replaced does not count, however much it is: else its removal would wait for ever.
   */
  private async hasRoom(): Promise<boolean> {
    const [{ totalBytes }, indexes, free] = await Promise.all([
      this.owner.table.stats(),
      this.indexBytes(),
      this.settings.freeBytes(),
    ]);
    const needed = totalBytes + indexes + SPARE_BYTES;
    if (free >= needed) return true;
    this.hasOldVersions = true;
    this.logger.warn({ event: 'vector_store.optimise_waits', table: this.owner.name, free, needed });
    return false;
  }

  /**
   * LanceDB keeps the folders of indexes that no version names any more: with their files for a week where an earlier removal took the version that
   * named them (lance issue 8321), and empty for ever (8320). Without a writer none of them can be of something that has just begun.
   */
  private async removeStrandedIndexes(): Promise<void> {
    const folder = indexFolder(this.settings.directory, this.owner.name);
    if ((await namesIn(folder)).length <= INDEX_FOLDERS) return;
    const cleanupOlderThan = await this.replacedBefore();
    await this.owner.exclusively(async () => {
      await this.owner.table.optimize({ cleanupOlderThan, deleteUnverified: true });
      for (const name of await namesIn(folder)) await removeEmpty(join(folder, name));
    });
  }

  private indexBytes(): Promise<number> {
    return folderSize(indexFolder(this.settings.directory, this.owner.name));
  }

  /**
   * Until there is nothing more to merge. Removes no version: LanceDB looks at when a version was made, and the one that a merge
   * replaces, under which searches are still reading, may be an old one.
   */
  private async mergeFiles(): Promise<void> {
    const { table } = this.owner;
    for (let merges = 0; merges < MERGES_MOST; merges += 1) {
      const before = await table.version();
      await this.optimise(LONG_AGO);
      if ((await table.version()) === before) return;
    }
  }

  /** The moment such that versions made before it have been replaced for as long as versions are kept. */
  private async replacedBefore(): Promise<Date> {
    const longEnough = Date.now() - this.settings.keepVersionsMs;
    const made = (await this.owner.table.listVersions()).map(({ timestamp }) => timestamp.getTime());
    const latestThen = Math.max(0, ...made.filter((time) => time <= longEnough));
    // The latest of all is never removed.
    if (made.every((time) => time <= latestThen)) return new Date(longEnough);
    return new Date(Math.max(0, latestThen - LOOK_MS));
  }

  /** A removal that commits meanwhile makes the merge of files void: then it is done again, at last with the writers waiting. */
  private async optimise(cleanupOlderThan: Date): Promise<void> {
    const once = async (): Promise<void> => {
      await this.owner.table.optimize({ cleanupOlderThan });
    };
    for (let attempt = 1; attempt < ATTEMPTS_BESIDE_WRITERS; attempt += 1) {
      try {
        return await once();
      } catch (error) {
        if (!isConflict(error)) throw error;
      }
    }
    await this.owner.exclusively(once);
  }

  private async keepVectorIndex(): Promise<void> {
    const { table } = this.owner;
    if ((await this.owner.countChunks()) <= this.settings.exactVectorsBelow) return;
    const stats = await table.indexStats(VECTOR_INDEX);
    if (stats !== undefined && (stats.numIndices ?? 1) < VECTOR_INDEX_PARTS) return;
    const build = (): Promise<void> =>
      table.createIndex('vector', {
        config: this.lance.Index.hnswSq({ distanceType: 'cosine', numPartitions: 1, efConstruction: 150 }),
        replace: true,
      });
    await build();
  }
}

/** Removes a folder if nothing is in it. */
async function removeEmpty(folder: string): Promise<void> {
  await rmdir(folder).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code !== 'ENOTEMPTY') throw error;
  });
}

function isConflict(error: unknown): boolean {
  return error instanceof Error && /commit conflict|preempted by concurrent/i.test(error.message);
}
