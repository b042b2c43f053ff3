import { reportFailure } from './backup/report-failure.js';
import { openRunningDatabase, type CommandDatabase } from './open-running-database.js';

/** Carries a command out on the database of the service, running or not. Why it failed is said on standard error, with exit code 1. */
export async function withRunningDatabase(
  command: string,
  work: (database: CommandDatabase) => Promise<void>,
): Promise<void> {
  try {
    const opened = await openRunningDatabase();
    try {
      await work(opened);
    } finally {
      await opened.close();
    }
  } catch (error) {
    reportFailure(command, error);
  }
}
