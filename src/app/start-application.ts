import { Logger, type INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Embedder } from '#libs/ai';
import type { SettingsValues } from '#libs/config';
import type { Database } from '#libs/database';
import { AppModule } from './app.module.js';
import { API_PREFIX, configureApp, makeAdapter } from './configure-app.js';
import { FrameworkLogger } from './framework-logger.js';
import { Metrics } from '#libs/metrics';
import { AccountsBootstrap } from '../modules/accounts/index.js';
import type { Plugin } from '../plugins/plugin.js';
import { listenForMetrics, metricsUrl } from './serve-metrics.js';
import type { StartWatch } from './start-watch.js';
import { closeApplication, drainApi } from './stop-application.js';
import { WorkerModule } from './worker.module.js';

/** A start that is refused says so in one line; the framework would add a stack trace. */
const QUIET_UNTIL_IT_RUNS = { bufferLogs: true, autoFlushLogs: false, abortOnError: false } as const;
const LIVENESS_PATH = `/${API_PREFIX}/health`;

interface Opened {
  readonly database: Database;
  readonly watch: StartWatch;
}

export interface RunningApplication {
  /** Lets what is under way end, within the times that the settings give it, then closes everything. */
  stop(): Promise<void>;
}

/** Brings up the graph of the role: the API (with the worker for ROLE=all), or the worker alone. */
export function startApplication(
  settings: SettingsValues,
  plugins: readonly Plugin[],
  opened: Opened,
): Promise<RunningApplication> {
  return settings.role === 'worker' ? startWorker(settings, plugins, opened) : startApi(settings, plugins, opened);
}

async function startApi(
  settings: SettingsValues,
  plugins: readonly Plugin[],
  { database, watch }: Opened,
): Promise<RunningApplication> {
  const app = await NestFactory.create<NestFastifyApplication>(
    AppModule.forRoot(settings, database, plugins),
    makeAdapter(settings),
    { ...QUIET_UNTIL_IT_RUNS, bodyParser: false, instrument: { instanceDecorator: watch.follow } },
  );
  logFromNowOn(app);
  try {
    await configureApp(app, settings);
    const bootstrap = app.get(AccountsBootstrap);
    const administrator = await bootstrap.ensureFirstAdministrator();
    await app.listen(settings.port, settings.host);
    const metrics = await listenForMetrics(settings, app.get(Metrics), LIVENESS_PATH);
    announce(await app.getUrl(), settings, app.get(Embedder), await bootstrap.noteShown(administrator));
    if (metrics !== undefined) process.stdout.write(`Metrics:                ${metricsUrl(metrics)}\n\n`);
    return {
      stop: async () => {
        await drainApi(app, settings);
        await closeApplication(app, metrics);
      },
    };
  } catch (error) {
    // In order, before the database goes: what has begun in the background would complain of it.
    await app.close();
    throw error;
  }
}

async function startWorker(
  settings: SettingsValues,
  plugins: readonly Plugin[],
  { database, watch }: Opened,
): Promise<RunningApplication> {
  const app = await NestFactory.createApplicationContext(WorkerModule.standalone(settings, database, plugins), {
    ...QUIET_UNTIL_IT_RUNS,
    instrument: { instanceDecorator: watch.follow },
  });
  logFromNowOn(app);
  const metrics = await listenForMetrics(settings, app.get(Metrics), LIVENESS_PATH).catch(async (error: unknown) => {
    await app.close();
    throw error;
  });
  process.stdout.write('\nKnowledge-base worker: ready\n\n');
  return { stop: () => closeApplication(app, metrics) };
}

function logFromNowOn(app: INestApplicationContext): void {
  app.useLogger(app.get(FrameworkLogger));
  Logger.flush();
  const { model, insteadOf } = app.get(Embedder).descriptor;
  if (insteadOf !== undefined) new Logger('Models').warn({ event: 'models.lesser_model', model, reason: insteadOf });
}

function announce(
  url: string,
  settings: SettingsValues,
  { descriptor: { model, advice } }: Pick<Embedder, 'descriptor'>,
  administrator: { email: string; password?: string } | null,
): void {
  const base = url.replace('[::1]', 'localhost');
  const lines = [`Knowledge-base service: ${base}/api/v1`];
  if (settings.console === 'on') lines.push(`Console:                ${base}/`);
  if (settings.docs === 'on') lines.push(`Swagger UI:             ${base}/docs`);
  if (administrator !== null) {
    lines.push(`First administrator:    ${administrator.email}`);
    if (administrator.password !== undefined) lines.push(`Password (shown once):  ${administrator.password}`);
  }
  if (advice !== undefined) lines.push(`Embedding model:        ${model}: ${advice}`);
  process.stdout.write(`\n${lines.join('\n')}\n\n`);
}
