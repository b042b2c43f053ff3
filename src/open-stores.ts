import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { reasonOf } from '#libs/common';
import type { SettingsValues } from '#libs/config';
import { openDatabase, startEmbeddedPostgres, type Database, type EmbeddedPostgres } from '#libs/database';
import { migrateQueue } from '#libs/queue';
import { schemaOf, type Plugin } from './plugins/plugin.js';
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
  await mkdir(settings.dataDir, { recursive: true, mode: DATA_DIR_MODE });
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
    throw error;
  }
}

/** The embedded server alone: not migrated, nobody connected. */
export function startEmbedded(settings: SettingsValues, logger: Logger): Promise<EmbeddedPostgres> {
  return startEmbeddedPostgres({
    dataDirectory: join(settings.dataDir, 'postgres'),
    log: (event, facts) => logger.info(facts, event),
  });
}
