import { access, constants, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { reasonOf } from '#libs/common';
import type { SettingsValues } from '#libs/config';
import {
  DatabaseSetupError,
  openDatabase,
  startEmbeddedPostgres,
  type Database,
  type EmbeddedPostgres,
} from '#libs/database';
import { migrateQueue } from '#libs/queue';
import { schemaOf, type Plugin } from './plugins/plugin.js';
import { StartRefused } from './start-refused.js';
import { refuseUnfinishedRestore } from './unfinished-restore.js';

/** PostgreSQL runs as a user of its own under root and must be able to walk through; what lies in it is closed. */
export const DATA_DIR_MODE = 0o711;

/** The database, and the embedded server when it runs on one. */
export interface OpenStores {
  readonly database: Database;
  close(): Promise<void>;
}

/** Starts or finds PostgreSQL, migrates it and connects. */
export async function openStores(
  settings: SettingsValues,
  plugins: readonly Plugin[],
  logger: Logger,
): Promise<OpenStores> {
  await makeDataFolder(settings.dataDir);
  await refuseUnfinishedRestore(settings.dataDir);
  const embedded = settings.databaseUrl === undefined ? await startEmbedded(settings, logger) : undefined;
  try {
    const url = embedded?.serviceUrl ?? settings.databaseUrl!;
    const database = await openDatabase({
      url,
      migrationUrl: embedded?.ownerUrl ?? settings.databaseMigrationUrl ?? url,
      rolePrefix: settings.databaseRolePrefix,
      poolSize: settings.databasePoolSize,
      alsoMigrate: [migrateQueue],
      plugins: plugins.map(schemaOf),
      onPoolError: (error) => logger.warn({ reason: reasonOf(error) }, 'database.connection_lost'),
    });
    return {
      database,
      close: async () => {
        await database.close();
        await embedded?.stop();
      },
    };
  } catch (error) {
    await embedded?.stop();
    throw embedded === undefined ? unusableDatabase(error, settings.databaseUrl!) : error;
  }
}

async function makeDataFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true, mode: DATA_DIR_MODE });
    await access(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new StartRefused(
      `DATA_DIR ${folder} cannot be used (${reasonOf(error)}). Set it to a folder that this user may read and write.`,
    );
  }
}

/** What the server, the network or the driver says about the database, in one line; never the password. */
function unusableDatabase(error: unknown, url: string): unknown {
  if (error instanceof DatabaseSetupError) return error;
  const { code } = error as { code?: unknown };
  const reason = [reasonOf(error), ...(typeof code === 'string' ? [`(${code})`] : [])].join(' ');
  return new DatabaseSetupError(`The database at ${new URL(url).host} (DATABASE_URL) cannot be used: ${reason}.`, {
    cause: error,
  });
}

/** The embedded server alone: not migrated, nobody connected. */
export function startEmbedded(settings: SettingsValues, logger: Logger): Promise<EmbeddedPostgres> {
  return startEmbeddedPostgres({
    dataDirectory: join(settings.dataDir, 'postgres'),
    log: (event, facts) => logger.info(facts, event),
  });
}
