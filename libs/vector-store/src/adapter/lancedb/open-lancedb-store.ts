import type { Connection, Session } from '@lancedb/lancedb';
import { mkdir } from 'node:fs/promises';
import { acquireFolderLock, FolderInUseError, type FolderLock } from '#libs/process-lock';
import type { VectorStore } from '../../vector-store.port.js';
import { loadLance, type Lance } from './lance-module.js';
import { LanceTables } from './lance-tables.js';
import { lanceDbSettings, type LanceDbOptions, type LanceDbSettings } from './lancedb-options.js';
import { LanceDbVectorStore } from './lancedb-vector-store.js';
import { vectorStoreErrors } from '../../vector-store.errors.js';

/** Opens the embedded store in a folder and owns it until `close`; throws `vector_store.locked` when another process does. */
export async function openLanceDbStore(options: LanceDbOptions): Promise<VectorStore> {
  const settings = lanceDbSettings(options);
  await mkdir(settings.directory, { recursive: true });
  const lock = await acquireStoreLock(settings.directory);
  try {
    const lance = await loadLance();
    const { connection } = await connectBounded(lance, settings);
    const tables = new LanceTables(lance, connection, settings);
    await tables.sweep();
    return new LanceDbVectorStore(lance, connection, tables, lock, settings);
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

/** A connection with what tells how much its caches hold. */
interface BoundedConnection {
  readonly connection: Connection;
  readonly session: Session;
}

/**
 * A connection to the folder whose caches hold no more than the settings say. The session is an option: as a third argument, which the types
 * of LanceDB allow, it is ignored, and caches of gigabytes are filled.
 */
export async function connectBounded(
  lance: Lance,
  settings: Pick<LanceDbSettings, 'directory' | 'indexCacheBytes' | 'metadataCacheBytes'>,
): Promise<BoundedConnection> {
  const session = new lance.Session(BigInt(settings.indexCacheBytes), BigInt(settings.metadataCacheBytes));
  return { connection: await lance.connect(settings.directory, { session }), session };
}
