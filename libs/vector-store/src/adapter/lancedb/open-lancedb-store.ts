import { mkdir } from 'node:fs/promises';
import { acquireFolderLock, FolderInUseError, type FolderLock } from '#libs/process-lock';
import type { VectorStore } from '../../vector-store.port.js';
import { LanceConnections } from './lance-connections.js';
import { loadLance } from './lance-module.js';
import { LanceTables } from './lance-tables.js';
import { lanceDbSettings, type LanceDbOptions } from './lancedb-options.js';
import { LanceDbVectorStore } from './lancedb-vector-store.js';
import { vectorStoreErrors } from '../../vector-store.errors.js';

/** Opens the embedded store in a folder and owns it until `close`; throws `vector_store.locked` when another process does. */
export async function openLanceDbStore(options: LanceDbOptions): Promise<VectorStore> {
  const settings = lanceDbSettings(options);
  await mkdir(settings.directory, { recursive: true });
  const lock = await acquireStoreLock(settings.directory);
  try {
    const lance = await loadLance();
    const connections = await LanceConnections.open(lance, settings);
    const tables = new LanceTables(lance, connections, settings);
    await tables.sweep();
    return new LanceDbVectorStore(lance, connections, tables, lock, settings);
  } catch (error) {
    await lock.release();
    throw error;
  }
}

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
