import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { SettingsValues } from '#libs/config';
import type { Database } from '#libs/database';
import { AppModule } from './app.module.js';
import { configureApp, makeAdapter } from './configure-app.js';
import { FrameworkLogger } from './framework-logger.js';
import { Metrics } from '#libs/metrics';
import { AccountsBootstrap } from './modules/accounts/index.js';
import type { Plugin } from './plugins/plugin.js';
import { listenForMetrics, metricsUrl } from './serve-metrics.js';
import { closeApplication, drainApi } from './stop-application.js';
import { WorkerModule } from './worker.module.js';

export interface RunningApplication {
  /** Lets what is under way end, within the times that the settings give it, then closes everything. */
  stop(): Promise<void>;
}

/** Brings up the graph of the role: the API (with the worker for ROLE=all), or the worker alone. */
export function startApplication(
  settings: SettingsValues,
  plugins: readonly Plugin[],
  database: Database,
): Promise<RunningApplication> {
  return settings.role === 'worker' ? startWorker(settings, plugins, database) : startApi(settings, plugins, database);
}

async function startApi(
  settings: SettingsValues,
  plugins: readonly Plugin[],
  database: Database,
): Promise<RunningApplication> {
  const app = await NestFactory.create<NestFastifyApplication>(
    AppModule.forRoot(settings, database, plugins),
    makeAdapter(settings),
    {
      bufferLogs: true,
      abortOnError: false,
      bodyParser: false,
    },
  );
  app.useLogger(app.get(FrameworkLogger));
  await configureApp(app, settings);
  const administrator = await app.get(AccountsBootstrap).ensureFirstAdministrator();
  await app.listen(settings.port, settings.host);
  const metrics = await listenForMetrics(settings, app.get(Metrics));
  announce(await app.getUrl(), settings, administrator);
  if (metrics !== undefined) process.stdout.write(`Metrics:                ${metricsUrl(metrics)}\n\n`);
  return {
    stop: async () => {
      await drainApi(app, settings);
      await closeApplication(app, metrics);
    },
  };
}

async function startWorker(
  settings: SettingsValues,
  plugins: readonly Plugin[],
  database: Database,
): Promise<RunningApplication> {
  const app = await NestFactory.createApplicationContext(WorkerModule.standalone(settings, database, plugins), {
    bufferLogs: true,
    abortOnError: false,
  });
  app.useLogger(app.get(FrameworkLogger));
  const metrics = await listenForMetrics(settings, app.get(Metrics));
  process.stdout.write('\nKnowledge-base worker: ready\n\n');
  return { stop: () => closeApplication(app, metrics) };
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
