import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import type { SettingsValues } from '#libs/config';
import { connectToRunningEmbeddedPostgres } from '#libs/database';
import { startEmbedded } from '../../app/open-stores.js';
import { refuseUnfinishedRestore } from '../../app/unfinished-restore.js';
import { BackupError } from './backup.errors.js';

/** Where the rows are read from. Nothing is migrated: a backup is of what is there. */
export interface BackupSource {
  /** The service's login. */
  readonly url: string;
  close(): Promise<void>;
}

/** DATABASE_URL, the embedded server of the running service, or that of a stopped one, started until `close`. */
export async function openSource(settings: SettingsValues): Promise<BackupSource> {
  await refuseUnfinishedRestore(settings.dataDir);
  if (settings.databaseUrl !== undefined) return { url: settings.databaseUrl, close: () => Promise.resolve() };
  const folder = join(settings.dataDir, 'postgres');
  if (!existsSync(folder)) {
    throw new BackupError(
      `${settings.dataDir} holds no database, so there is nothing to back up. Set DATA_DIR to the folder of the service, or DATABASE_URL.`,
    );
  }
  const running = await connectToRunningEmbeddedPostgres(folder);
  if (running !== null) return { url: running.serviceUrl, close: () => Promise.resolve() };
  const embedded = await startEmbedded(settings, pino({ level: 'warn' }));
  return { url: embedded.serviceUrl, close: () => embedded.stop() };
}
