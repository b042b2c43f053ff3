import { acquireFolderLock, FolderInUseError, type FolderLock } from '#libs/process-lock';
import { EmbeddedPostgresError } from './embedded-postgres.errors.js';

/** The right of one process to run the database of one folder; throws `data_in_use` while another has it. */
export async function acquireOwnerLock(folder: string): Promise<FolderLock> {
  try {
    return await acquireFolderLock(folder);
  } catch (error) {
    if (!(error instanceof FolderInUseError)) throw error;
    throw new EmbeddedPostgresError(
      'data_in_use',
      `The data folder ${folder} is in use by ${error.owner}. Stop that service first, or set DATA_DIR to another folder.`,
      { cause: error },
    );
  }
}
