import { access, constants } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { reasonOf } from '#libs/common';
import type { SettingsValues } from '#libs/config';
import {
  DatabaseAccessError,
  DatabaseSetupError,
  openDatabase,
  startEmbeddedPostgres,
  type Database,
  type EmbeddedPostgres,
  type MigrationQuery,
  type PluginSchema,
} from '#libs/database';
import { migrateQueue } from '#libs/queue';
import { schemaOf, type Plugin } from '../plugins/plugin.js';
import { StartRefused } from './start-refused.js';
import type { StartWatch } from './start-watch.js';
import { closeEverything, closeFolders, makeDataFolder, tryDataFolder, type Tightened } from './data-folder.js';
import { refuseUnfinishedRestore } from './unfinished-restore.js';

/** The database, and the embedded server when it runs on one. */
export interface OpenStores {
  readonly database: Database;
  close(): Promise<void>;
}

type Watch = Pick<StartWatch, 'during'>;

const UNWATCHED: Watch = { during: (_what, work) => work() };

/** Starts or finds PostgreSQL, migrates it and connects. */
export async function openStores(
  settings: SettingsValues,
  plugins: readonly Plugin[],
  logger: Logger,
  watch: Watch = UNWATCHED,
): Promise<OpenStores> {
  await openDataFolder(settings.dataDir);
  await refuseUnfinishedRestore(settings.dataDir);
  const closing = await closeDataFolder(settings.dataDir, logger);
  let embedded: EmbeddedPostgres | undefined;
  try {
    if (settings.databaseUrl === undefined) embedded = await startEmbedded(settings, logger);
    const url = embedded?.serviceUrl ?? settings.databaseUrl!;
    const opening = watch.during('the database and its migrations', () =>
      openDatabase({
        url,
        migrationUrl: embedded?.ownerUrl ?? settings.databaseMigrationUrl ?? url,
        rolePrefix: settings.databaseRolePrefix,
        poolSize: settings.databasePoolSize,
        alsoMigrate: [migrateQueue],
        plugins: plugins.map((plugin) => watchedSchema(plugin, watch)),
        onPoolError: (error) => logger.warn({ reason: reasonOf(error) }, 'database.connection_lost'),
      }),
    );
    const database = await opening;
    return {
      database,
      close: async () => {
        await closing.stop();
        await database.close();
        await embedded?.stop();
      },
    };
  } catch (error) {
    await closing.stop();
    await embedded?.stop();
    throw unusableDatabase(error, settings);
  }
}

/** The schema of a plugin whose migrations are named while they run. */
function watchedSchema(plugin: Plugin, watch: Watch): PluginSchema {
  const schema = schemaOf(plugin);
  const migrations = schema.migrations.map((migration) => ({
    name: migration.name,
    up: (query: MigrationQuery) =>
      watch.during(`the migration ${migration.name} of the plugin ${plugin.name}`, async () => migration.up(query)),
  }));
  return { ...schema, migrations };
}

async function openDataFolder(folder: string): Promise<void> {
  try {
    await makeDataFolder(folder);
    await access(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    await tryDataFolder(folder);
  } catch (error) {
    throw new StartRefused(
      `DATA_DIR ${folder} cannot be used (${reasonOf(error)}). Set it to a folder that this user may read and write.`,
    );
  }
}

const PERMISSION_DENIED = '42501';

/** What the server, the network or the driver says about the database, in one line that names its setting; never the password. */
function unusableDatabase(error: unknown, { databaseUrl, databaseMigrationUrl }: SettingsValues): unknown {
  if (!(error instanceof DatabaseAccessError)) return error;
  if (databaseUrl === undefined) return error.cause;
  const isOwner = error.login === 'owner';
  const [setting, url] =
    isOwner && databaseMigrationUrl !== undefined
      ? ['DATABASE_MIGRATION_URL', databaseMigrationUrl]
      : ['DATABASE_URL', databaseUrl];
  const { code } = error.cause as { code?: unknown };
  const reason = [reasonOf(error.cause), ...(typeof code === 'string' ? [`(${code})`] : [])].join(' ');
  const advice =
    isOwner && code === PERMISSION_DENIED
      ? ' The login that migrates must own the database and all tables in it, and may grant the roles of DATABASE_ROLE_PREFIX: make it their owner, or name one that is in DATABASE_MIGRATION_URL.'
      : '';
  return new DatabaseSetupError(
    `The database at ${new URL(url).host} (${setting}) cannot be used: ${reason}.${advice}`,
    { cause: error.cause },
  );
}

/** The embedded server alone: not migrated, no one connected. */
export function startEmbedded(settings: SettingsValues, logger: Logger): Promise<EmbeddedPostgres> {
  return startEmbeddedPostgres({
    dataDirectory: join(settings.dataDir, 'postgres'),
    log: (event, facts) => logger.info(facts, event),
  });
}

/** Closes what is open to other users: its folders at once, and what lies in them while the service goes on. */
async function closeDataFolder(dataDir: string, logger: Logger): Promise<{ stop(): Promise<void> }> {
  const tell = ({ changed, refused }: Tightened): void => {
    if (changed > 0) logger.info({ folder: dataDir, changed }, 'data_folder.closed_to_others');
    if (refused > 0) logger.warn({ folder: dataDir, refused }, 'data_folder.open_to_others');
  };
  tell(await closeFolders(dataDir));
  const stopping = new AbortController();
  const work = closeEverything(dataDir, stopping.signal).then(tell, (error: unknown) =>
    logger.warn({ reason: reasonOf(error) }, 'data_folder.open_to_others'),
  );
  return {
    stop: async () => {
      stopping.abort();
      await work;
    },
  };
}
