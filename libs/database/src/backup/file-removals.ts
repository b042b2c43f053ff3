import { Injectable } from '@nestjs/common';
import { Database } from '../database.js';
import { result, statement } from '../statement.js';

/** Advisory lock: who removes stored files shares it, a backup has it alone. It ends with the session of its owner. */
export const FILES_LOCK = 7_061_825;

const TRY_LOCK = statement({ taken: result.boolean }, `SELECT pg_try_advisory_lock_shared($1) AS taken`);
const UNLOCK = statement({ pg_advisory_unlock_shared: result.boolean }, `SELECT pg_advisory_unlock_shared($1)`);

/**
 * The removal of stored files waits while a backup runs, which copies the files that its snapshot of the database names. The
 * two exclude each other by a lock of a database session, which the server frees when a backup dies.
 */
@Injectable()
export class FileRemovals {
  private last: Promise<unknown> = Promise.resolve();

  constructor(private readonly database: Database) {}

  /**
   * Runs `work`, which removes files and the rows that name them, while no backup can begin. False, without running it, when
   * a backup is under way. One at a time in a process, so that the sessions of the pool are left for the work itself.
   */
  async tryRun(work: () => Promise<void>): Promise<boolean> {
    const mine = this.last.then(() => this.runLocked(work));
    this.last = mine.catch(() => undefined);
    return mine;
  }

  private async runLocked(work: () => Promise<void>): Promise<boolean> {
    const runner = this.database.source.createQueryRunner();
    try {
      const [lock] = (await runner.query(TRY_LOCK.sql, [FILES_LOCK])) as NonNullable<typeof TRY_LOCK.row>[];
      if (lock?.taken !== true) return false;
      try {
        await work();
      } finally {
        await runner.query(UNLOCK.sql, [FILES_LOCK]);
      }
      return true;
    } finally {
      await runner.release();
    }
  }
}

/** Work that stopped because files cannot be removed while a backup runs; it is begun again later. */
export class BackupUnderWay extends Error {
  constructor() {
    super('A backup is under way; files are removed when it has ended.');
    this.name = 'BackupUnderWay';
  }
}
