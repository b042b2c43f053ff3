import { readdir, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pino } from 'pino';
import type { SettingsValues } from '#libs/config';
import { DatabaseRestore, inspectDatabase, listMigrations, migrate, type DatabaseFacts } from '#libs/database';
import { createObjectStorage } from '#libs/object-storage';
import { migrateQueue } from '#libs/queue';
import { objectStorageOptions } from '../../app/object-storage-options.js';
import { schemaOf, type Plugin } from '../../plugins/plugin.js';
import { serviceVersion } from '../../app/service-version.js';
import { makeDataFolder } from '../../app/data-folder.js';
import { startEmbedded } from '../../app/open-stores.js';
import { readUnfinishedRestore, RESTORE_MARK, type UnfinishedRestore } from '../../app/unfinished-restore.js';
import { readManifest, type SealedManifest } from './backup-manifest.js';
import { BackupError } from './backup.errors.js';
import { restoreKeys, verifyKeys } from './key-files.js';
import { loadTables, verifyTables } from './restored-tables.js';
import { restoreFiles, verifyFiles } from './stored-files.js';
import { UploadsFile } from './uploads-file.js';

/** What a file system may have put into an empty data folder. */
const NOT_OURS = new Set(['lost+found']);
/** What a restore writes into the data folder beside the database, which is whole or empty. */
const WRITTEN = ['files', 'auth'];

/** The table that says what plugins have made; backups of before there were any lack it. */
const PLUGIN_MIGRATIONS = 'plugin_migrations';

export interface RestoreRequest {
  readonly settings: SettingsValues;
  readonly folder: string;
  /** Those of the installation: their tables are part of a backup. */
  readonly plugins?: readonly Plugin[];
  /** Gets a line for people after each step. */
  readonly say: (line: string) => void;
}

interface Logins {
  readonly ownerUrl: string;
  readonly serviceUrl: string;
}

/**
 * Brings back an installation from a backup, into an empty database and an empty data folder. Nothing is written before every
 * checksum has been compared. A restore that was cut off leaves a mark with which no service starts; it is called again then.
 */
export async function restoreBackup(request: RestoreRequest): Promise<SealedManifest> {
  const { settings, say } = request;
  const folder = resolve(request.folder);
  const manifest = await readManifest(folder);
  refuseNewer(manifest);
  await verifyTables(folder, manifest);
  await verifyFiles(folder, manifest.files);
  await verifyKeys(folder, manifest.keys);
  say(`Checksums of ${manifest.tables.length} tables and ${manifest.files.count} files are right`);
  const unfinished = await readUnfinishedRestore(settings.dataDir);
  if (unfinished === null) await refuseFilledFolder(settings.dataDir);
  if (settings.databaseUrl !== undefined) {
    refuseUsedDatabase(await inspectDatabase(loginsOf(settings, settings.databaseUrl)), manifest, unfinished);
  }
  await begin(settings, { backup: manifest.sha256, folder }, unfinished);
  await withLogins(settings, (logins) => fill({ ...request, folder }, manifest, logins));
  await rm(join(settings.dataDir, RESTORE_MARK));
  return manifest;
}

async function fill(
  { settings, folder, plugins = [], say }: RestoreRequest,
  manifest: SealedManifest,
  logins: Logins,
): Promise<void> {
  const schema = {
    migrationUrl: logins.ownerUrl,
    serviceUrl: logins.serviceUrl,
    rolePrefix: settings.databaseRolePrefix,
  };
  const schemas = plugins.map(schemaOf);
  const knowsPlugins = manifest.tables.some(({ name }) => name === PLUGIN_MIGRATIONS);
  await migrate({ ...schema, also: [], only: manifest.migrations, ...(knowsPlugins ? { plugins: schemas } : {}) });
  const target = { ownerUrl: logins.ownerUrl, backupId: manifest.sha256, migrations: manifest.migrations };
  const uploads = new UploadsFile(join(settings.dataDir, 'restore.uploads'));
  const storage = await createObjectStorage(objectStorageOptions(settings, uploads));
  // Of a restore that was killed.
  await storage.removeUnfinished(new Date());
  await restoreFiles(folder, manifest.files, storage);
  await uploads.discard();
  await restoreKeys(folder, manifest.keys, settings.dataDir);
  say(`${manifest.files.count} files restored`);
  // The rows come last and all at once: where they are, everything else is.
  const restore = await DatabaseRestore.begin(target);
  if (restore === null) say('The rows of this backup are there already');
  else {
    try {
      await loadTables(restore, folder, manifest);
      await restore.commit();
      say(
        `${manifest.tables.reduce((sum, { rows }) => sum + rows, 0)} rows restored, compared with the backup row by row`,
      );
    } catch (error) {
      await restore.giveUp();
      throw error;
    }
  }
  await migrate({ ...schema, also: [migrateQueue], plugins: schemas });
}

function refuseNewer({ version, migrations }: SealedManifest): void {
  const mine = serviceVersion();
  const known = listMigrations();
  const unknown = migrations.filter((name) => !known.includes(name));
  if (unknown.length === 0 && !isNewer(version, mine)) return;
  const more = unknown.length === 0 ? '' : ` and has migrations that this one lacks (${unknown.join(', ')})`;
  throw new BackupError(
    `The backup was made by version ${version}${more}; this is version ${mine}. Restore with the same version or a newer one.`,
  );
}

async function refuseFilledFolder(dataDir: string): Promise<void> {
  try {
    const found = (await readdir(dataDir)).filter((name) => !NOT_OURS.has(name));
    if (found.length === 0) return;
    throw new BackupError(
      `The data folder ${dataDir} is not empty (${found.slice(0, 5).join(', ')}). Stop the service, and set DATA_DIR to an empty folder or move what is there away.`,
    );
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}

function refuseUsedDatabase(
  found: DatabaseFacts,
  manifest: SealedManifest,
  unfinished: UnfinishedRestore | null,
): void {
  if (found.serviceRuns)
    throw new BackupError('A service is connected to the database. Stop every service of it first.');
  if (found.state === 'foreign') {
    throw new BackupError('The database holds tables of something else. Restore into an empty database.');
  }
  // After a restore that was cut off the rows of the backup may be there already; the restore itself looks.
  if (unfinished !== null) return;
  if (found.state === 'in use') {
    throw new BackupError('The database holds tenants or accounts already. Restore into an empty database.');
  }
  if (found.migrations.some((name) => !manifest.migrations.includes(name))) {
    throw new BackupError(
      'The schema of the database is newer than that of the backup. Restore into a new database, without any table.',
    );
  }
}

/** From here on no service starts on the data folder until the restore has ended. What an earlier one left there goes. */
async function begin(
  settings: SettingsValues,
  mark: UnfinishedRestore,
  unfinished: UnfinishedRestore | null,
): Promise<void> {
  const { dataDir } = settings;
  await makeDataFolder(dataDir);
  await removeWritten(dataDir);
  // What an earlier try of the same backup put into a bucket is what this one puts there.
  if (unfinished?.backup !== mark.backup) await refuseFilledStorage(settings);
  await writeFile(join(dataDir, RESTORE_MARK), JSON.stringify(mark), { mode: 0o600, flush: true });
}

async function removeWritten(dataDir: string): Promise<void> {
  for (const name of WRITTEN) await rm(join(dataDir, name), { recursive: true, force: true });
}

/** Files of another installation would lie between those of the backup, and be reported as foreign for ever. */
async function refuseFilledStorage(settings: SettingsValues): Promise<void> {
  const storage = await createObjectStorage(objectStorageOptions(settings));
  for await (const { key } of storage.list('')) {
    await removeWritten(settings.dataDir);
    throw new BackupError(
      `The storage of the original files (OBJECT_STORAGE=${settings.objectStorage}) is not empty: it holds ${key}. Set it to an empty bucket or folder, or remove from it what is no longer needed.`,
    );
  }
}

/** The logins of DATABASE_URL, or of the embedded server, which runs until `work` has ended. */
async function withLogins(settings: SettingsValues, work: (logins: Logins) => Promise<void>): Promise<void> {
  if (settings.databaseUrl !== undefined) return work(loginsOf(settings, settings.databaseUrl));
  const embedded = await startEmbedded(settings, pino({ level: 'warn' }));
  try {
    return await work(embedded);
  } finally {
    await embedded.stop();
  }
}

function loginsOf(settings: SettingsValues, databaseUrl: string): Logins {
  return { serviceUrl: databaseUrl, ownerUrl: settings.databaseMigrationUrl ?? databaseUrl };
}

/** Whether `a` is a later version than `b`, by their three numbers. */
function isNewer(a: string, b: string): boolean {
  const [left, right] = [numbers(a), numbers(b)];
  for (const place of [0, 1, 2]) {
    if (left[place]! !== right[place]!) return left[place]! > right[place]!;
  }
  return false;
}

function numbers(version: string): number[] {
  return [...version.split(/[-+]/, 1)[0]!.split('.').map(Number), 0, 0, 0];
}
