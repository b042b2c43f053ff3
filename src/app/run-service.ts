import 'reflect-metadata';
import { setTimeout as wait } from 'node:timers/promises';
import { pino, type Logger } from 'pino';
import { findIgnoredEntries, findMisspeltSettings, SettingsError, type SettingsValues } from '#libs/config';
import { CatalogueError, CataloguedError } from '#libs/common';
import { DatabaseSetupError, EmbeddedPostgresError } from '#libs/database';
import { ADAPTERS } from './adapters.js';
import { ofDataFolder } from './data-folder.js';
import { requireFreePorts } from './free-ports.js';
import { logOptions } from './log-options.js';
import { openStores } from './open-stores.js';
import { loadConfiguration } from '../plugins/load-configuration.js';
import type { Plugin } from '../plugins/plugin.js';
import { writeLogLinesOnly } from './process-output.js';
import { serviceVersion } from './service-version.js';
import { StartRefused } from './start-refused.js';
import { StartWatch } from './start-watch.js';

/** Starts the service as the settings say, and stops it on SIGTERM and SIGINT. A start that cannot succeed says why and exits with 1. */
export async function runService(): Promise<void> {
  let logger: Logger | undefined;
  let dataDir: string | undefined;
  try {
    const { settings, plugins } = await loadConfiguration();
    dataDir = settings.dataDir;
    logger = pino(logOptions(settings));
    writeLogLinesOnly(logger);
    for (const { name, setting } of findMisspeltSettings(ADAPTERS)) logger.warn({ name, setting }, 'settings.misspelt');
    for (const { setting, entry } of findIgnoredEntries()) logger.warn({ setting, entry }, 'settings.entry_ignored');
    await requireFreePorts(settings);
    for (const { name } of plugins) logger.info({ name }, 'plugin.loaded');
    await start(settings, plugins, logger);
  } catch (error) {
    reportFailedStart(dataDir === undefined ? error : ofDataFolder(error, dataDir), logger);
    process.exit(1);
  }
}

/** After this time the embedded database server has been launched, and starts beside what is loaded. */
const LAUNCH_MS = 100;

async function start(settings: SettingsValues, plugins: readonly Plugin[], logger: Logger): Promise<void> {
  const watch = new StartWatch(logger);
  try {
    await startWatched(settings, plugins, { logger, watch });
  } finally {
    watch.end();
  }
}

async function startWatched(
  settings: SettingsValues,
  plugins: readonly Plugin[],
  { logger, watch }: { readonly logger: Logger; readonly watch: StartWatch },
): Promise<void> {
  const opening = openStores(settings, plugins, logger, watch);
  // Loading the application's code holds the thread: begun at once, it would be the launch of PostgreSQL that waits.
  const loading = wait(LAUNCH_MS).then(() => import('./start-application.js'));
  // Told where it is waited for.
  loading.catch(() => undefined);
  const stores = await opening;
  const stopping = stopOnSignals(logger);
  try {
    const { startApplication } = await loading;
    const app = await watch.during('the modules of the service and of its plugins', () =>
      startApplication(settings, plugins, { database: stores.database, watch }),
    );
    logger.info({ version: serviceVersion(), role: settings.role, node: process.version }, 'service.started');
    stopping.whenAsked(async () => {
      await app.stop();
      await stores.close();
    });
  } catch (error) {
    await stores.close();
    throw error;
  }
}

/** A signal that reaches the process twice, from the terminal and from npm, is one. */
const SAME_SIGNAL_MS = 500;

/** The first signal stops the service in order, a later one at once. */
function stopOnSignals(logger: Logger): { whenAsked(stop: () => Promise<void>): void } {
  let askedAt: number | undefined;
  let stop: (() => Promise<void>) | undefined;
  const run = async (): Promise<void> => {
    if (stop === undefined) return;
    try {
      await stop();
      process.exit(0);
    } catch (error) {
      logger.error({ err: error }, 'service.stop_failed');
      process.exit(1);
    }
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      if (askedAt !== undefined) {
        if (performance.now() - askedAt > SAME_SIGNAL_MS) process.exit(1);
        return;
      }
      askedAt = performance.now();
      logger.info({ signal }, 'service.stopping');
      void run();
    });
  }
  return {
    whenAsked: (handler) => {
      stop = handler;
      if (askedAt !== undefined) void run();
    },
  };
}

function reportFailedStart(error: unknown, logger: Logger | undefined): void {
  const expected =
    error instanceof SettingsError ||
    error instanceof DatabaseSetupError ||
    error instanceof EmbeddedPostgresError ||
    error instanceof CatalogueError ||
    error instanceof CataloguedError ||
    error instanceof StartRefused;
  if (expected) process.stderr.write(`${error.message}\n`);
  else if (logger) logger.fatal({ err: error }, 'service.start_failed');
  else process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
}
