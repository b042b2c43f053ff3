import { existsSync } from 'node:fs';
import { chmod, open, readdir, realpath, rm } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import type { SettingsValues } from '#libs/config';
import { BackupSession, type DatabaseSnapshot, type SequenceState } from '#libs/database';
import { createObjectStorage } from '#libs/object-storage';
import { makeFolders } from '../../app/make-folders.js';
import { objectStorageOptions } from '../../app/object-storage-options.js';
import { serviceVersion } from '../../app/service-version.js';
import { BackupRoom } from './backup-room.js';
import { BACKUP_FORMAT, writeManifest, type SealedManifest, type TableEntry } from './backup-manifest.js';
import { BackupError } from './backup.errors.js';
import { writeKeys } from './key-files.js';
import { copyListedFiles, writeFileList } from './stored-files.js';
import { writeTables } from './table-files.js';

const MODE = 0o700;

export interface BackupRequest {
  readonly settings: SettingsValues;
  /** The service's login. */
  readonly databaseUrl: string;
  /** A folder that is missing or empty. */
  readonly folder: string;
  readonly withKeys: boolean;
  /** Gets a line for people after each step. */
  readonly say: (line: string) => void;
}

interface DatabasePart {
  readonly migrations: readonly string[];
  readonly postgresql: string;
  readonly tables: readonly TableEntry[];
  readonly sequences: readonly SequenceState[];
}

/**
 * Writes a backup of the whole installation beside the running service: rows of one moment, then the files that they name. A
 * backup that fails leaves the folder empty.
 */
export async function makeBackup(request: BackupRequest): Promise<SealedManifest> {
  const folder = resolve(request.folder);
  await prepareFolder(folder, request.settings.dataDir);
  try {
    return await fillFolder({ ...request, folder });
  } catch (error) {
    for (const name of await readdir(folder)) await rm(join(folder, name), { recursive: true, force: true });
    throw error;
  }
}

async function fillFolder(request: BackupRequest): Promise<SealedManifest> {
  const { settings, folder, say } = request;
  const createdAt = new Date().toISOString();
  const session = await BackupSession.begin({
    url: request.databaseUrl,
    rolePrefix: settings.databaseRolePrefix,
  });
  try {
    const room = await BackupRoom.in(folder, settings);
    const database = await session.readSnapshot((snapshot) => writeSnapshot(snapshot, folder, room));
    const rows = database.tables.reduce((sum, table) => sum + table.rows, 0);
    say(`${rows} rows of ${database.tables.length} tables`);
    const storage = await createObjectStorage(objectStorageOptions(settings));
    const files = await session.keepFilesDuring(() => copyListedFiles(folder, storage, room));
    say(`${files.count} files, ${files.bytes} bytes`);
    const keys = await writeKeys(settings, folder, request.withKeys);
    const manifest = await writeManifest(folder, {
      format: BACKUP_FORMAT,
      version: serviceVersion(),
      created_at: createdAt,
      migration: database.migrations.at(-1)!,
      ...database,
      files,
      keys,
    });
    await syncFolder(folder);
    return manifest;
  } finally {
    await session.end();
  }
}

async function writeSnapshot(snapshot: DatabaseSnapshot, folder: string, room: BackupRoom): Promise<DatabasePart> {
  const files = await writeFileList(snapshot, folder);
  await room.require({ database: snapshot.bytes, files });
  const tables = await writeTables(snapshot, folder, room);
  return {
    migrations: snapshot.migrations,
    postgresql: snapshot.serverVersion,
    tables,
    sequences: await snapshot.readSequences(),
  };
}

/** Makes the folder, for its owner alone. @throws BackupError unless it is empty and outside the data folder */
async function prepareFolder(folder: string, dataDir: string): Promise<void> {
  const made = await makeFolders(folder, MODE);
  const place = relative(existsSync(dataDir) ? await realpath(dataDir) : dataDir, await realpath(folder));
  if (!place.startsWith('..')) {
    if (made !== undefined) await rm(made, { recursive: true });
    throw new BackupError(
      `${folder} lies in the data folder ${dataDir}, with which it would be lost. Name another folder.`,
    );
  }
  if ((await readdir(folder)).length > 0) {
    throw new BackupError(`${folder} is not empty. Name a new folder for each backup.`);
  }
  await chmod(folder, MODE);
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
