import { acquireFolderLock, FolderInUseError, type FolderLock } from '#libs/process-lock';
import { vectorStoreErrors } from '../../vector-store.errors.js';

/**
 * Makes this process the only owner of `directory`, which exists; throws `vector_store.locked` while another process has it. Processes
 * that do not see each other (two containers on one volume) cannot be told from dead ones: give each its own volume.
 */
export async function acquireStoreLock(directory: string): Promise<FolderLock> {
  try {
    return await acquireFolderLock(directory);
  } catch (error) {
    if (!(error instanceof FolderInUseError)) throw error;
    throw vectorStoreErrors.locked({ pid: error.pid, owner: error.owner, directory }, { cause: error });
  }
}
