import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { pino, type Logger } from 'pino';
import { loadEnvironmentFile, loadSettings, SettingsError, type SettingsValues } from '#libs/config';
import { CatalogueError } from '#libs/common';
import { DatabaseSetupError, EmbeddedPostgresError, type Database } from '#libs/database';
import { AppModule } from './app.module.js';
import { FrameworkLogger } from './framework-logger.js';
import { configureApp, makeAdapter } from './configure-app.js';
import { AccountsBootstrap } from './modules/accounts/index.js';
import { openStores } from './open-stores.js';
import { WorkerModule } from './worker.module.js';

interface Stoppable {
  close(): Promise<void>;
}

/** Starts the service as the settings say, and stops it on SIGTERM and SIGINT. A start that cannot succeed says why and exits with 1. */
export async function runService(): Promise<void> {
  let logger: Logger | undefined;
  try {
    loadEnvironmentFile();
    const settings = loadSettings();
    logger = pino({ level: settings.logLevel });
    await start(settings, logger);
  } catch (error) {
    reportFailedStart(error, logger);
    process.exit(1);
  }
}

async function start(settings: SettingsValues, logger: Logger): Promise<void> {
  const stores = await openStores(settings, logger);
  const stopping = stopOnSignals(logger);
  try {
    const app =
      settings.role === 'worker'
        ? await startWorker(settings, stores.database)
        : await startApi(settings, stores.database);
    stopping.whenAsked(async () => {
      await app.close();
      await stores.close();
    });
  } catch (error) {
    await stores.close();
    throw error;
  }
}

async function startApi(settings: SettingsValues, database: Database): Promise<Stoppable> {
  const app = await NestFactory.create<NestFastifyApplication>(
    AppModule.forRoot(settings, database),
    makeAdapter(settings),
    {
      bufferLogs: true,
      abortOnError: false,
      forceCloseConnections: true,
    },
  );
  app.useLogger(app.get(FrameworkLogger));
  await configureApp(app, settings);
  const administrator = await app.get(AccountsBootstrap).ensureFirstAdministrator();
  await app.listen(settings.port, settings.host);
  announce(await app.getUrl(), settings, administrator);
  return app;
}

async function startWorker(settings: SettingsValues, database: Database): Promise<Stoppable> {
  const app = await NestFactory.createApplicationContext(WorkerModule.standalone(settings, database), {
    bufferLogs: true,
    abortOnError: false,
  });
  app.useLogger(app.get(FrameworkLogger));
  return app;
}

function announce(
  url: string,
  settings: SettingsValues,
  administrator: { email: string; password?: string } | null,
): void {
  const base = url.replace('[::1]', 'localhost');
  const lines = [`Knowledge-base service: ${base}/api/v1`];
  if (settings.docs === 'on') lines.push(`Swagger UI:             ${base}/docs`);
  if (administrator !== null) {
    lines.push(`First administrator:    ${administrator.email}`);
    if (administrator.password !== undefined) lines.push(`Password (shown once):  ${administrator.password}`);
  }
  process.stdout.write(`\n${lines.join('\n')}\n\n`);
}

/** The first signal stops the service in order, a second one at once. */
function stopOnSignals(logger: Logger): { whenAsked(stop: () => Promise<void>): void } {
  let asked = false;
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
      if (asked) process.exit(1);
      asked = true;
      logger.info({ signal }, 'service.stopping');
      void run();
    });
  }
  return {
    whenAsked: (handler) => {
      stop = handler;
      if (asked) void run();
    },
  };
}

function reportFailedStart(error: unknown, logger: Logger | undefined): void {
  const expected =
    error instanceof SettingsError ||
    error instanceof DatabaseSetupError ||
    error instanceof EmbeddedPostgresError ||
    error instanceof CatalogueError;
  const code = (error as { code?: string }).code;
  if (expected) process.stderr.write(`${error.message}\n`);
  else if (code === 'EADDRINUSE' || code === 'EACCES') {
    process.stderr.write(
      `The address cannot be used (${code}): ${(error as Error).message}. Set PORT or HOST to another one.\n`,
    );
  } else if (logger) logger.fatal({ err: error }, 'service.start_failed');
  else process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
}
