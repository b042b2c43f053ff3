import { join } from 'node:path';
import { pino } from 'pino';
import type { SettingsValues } from '#libs/config';
import { connectToRunningEmbeddedPostgres, openDatabase, type Database } from '#libs/database';
import { migrateQueue } from '#libs/queue';
import { openStores } from '../app/open-stores.js';
import { loadConfiguration, type Configuration } from '../plugins/load-configuration.js';
import { schemaOf } from '../plugins/plugin.js';

/** The installation's database for a command, whether the service runs or not. */
export interface CommandDatabase {
  readonly settings: SettingsValues;
  readonly database: Database;
  /** Whether a service seems to be running on it; unknown for an external database. */
  readonly serviceRuns: boolean | undefined;
  close(): Promise<void>;
}

/** Connects to the embedded server of a running service, or starts it for the time of the command; or to DATABASE_URL. */
export async function openRunningDatabase(configuration?: Configuration): Promise<CommandDatabase> {
  const { settings, plugins } = configuration ?? (await loadConfiguration());
  const running =
    settings.databaseUrl === undefined
      ? await connectToRunningEmbeddedPostgres(join(settings.dataDir, 'postgres'))
      : null;
  if (running === null) {
    const stores = await openStores(settings, plugins, pino({ level: 'warn' }));
    return {
      settings,
      database: stores.database,
      serviceRuns: settings.databaseUrl === undefined ? false : undefined,
      close: () => stores.close(),
    };
  }
  const database = await openDatabase({
    url: running.serviceUrl,
    migrationUrl: running.ownerUrl,
    rolePrefix: settings.databaseRolePrefix,
    poolSize: 4,
    alsoMigrate: [migrateQueue],
    plugins: plugins.map(schemaOf),
    onPoolError: (error) => process.stderr.write(`${error.message}\n`),
  });
  return { settings, database, serviceRuns: true, close: () => database.close() };
}
