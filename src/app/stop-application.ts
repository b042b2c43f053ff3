import type { Server } from 'node:http';
import type { INestApplicationContext } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { delay } from '#libs/common';
import type { SettingsValues } from '#libs/config';
import { Drain } from '#libs/http';
import { TaskKinds } from '#libs/tasks';

/** Readiness refuses first while all goes on; then no new connections are taken, and requests that are under way end. */
export async function drainApi(app: NestFastifyApplication, settings: SettingsValues): Promise<void> {
  const { role, shutdownDelaySeconds, shutdownDrainSeconds } = settings;
  const drain = app.get(Drain);
  drain.leave();
  await delay(shutdownDelaySeconds * 1000);
  // Documents and tasks in work go back at once: other processes, or the next start, go on with them.
  const working = role === 'all' ? app.get(TaskKinds).stop() : Promise.resolve();
  await drain.run(app.getHttpServer(), shutdownDrainSeconds * 1000);
  await working;
}

/** Ends the listeners of metrics and the application's own work, and closes what they rest on, except the database. */
export async function closeApplication(app: INestApplicationContext, metrics: Server | undefined): Promise<void> {
  metrics?.close();
  metrics?.closeAllConnections();
  await app.close();
}
