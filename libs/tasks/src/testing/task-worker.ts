import { Module, type INestApplicationContext, type Type } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { LoggerModule } from 'nestjs-pino';
import { ConfigModule, type SettingsValues } from '#libs/config';
import { DatabaseModule } from '#libs/database';
import { Metrics, MetricsModule } from '#libs/metrics';
import { QueueModule } from '#libs/queue';
import { PresentPrincipals, type Principal } from '#libs/tenancy';
import type { TestDatabase } from '#libs/testing';
import { StorageSpace } from '#libs/storage-space';
import { plentyOfSpace } from '../../../storage-space/src/testing/plenty-of-space.js';
import type { TaskDefinition } from '../task-definition.js';
import { TaskRegistry } from '../task-registry.js';
import { TaskRules } from '../task-rules.js';
import { TasksModule } from '../tasks.module.js';

export interface TaskWorkerOptions {
  readonly handlers: readonly Type[];
  readonly settings?: Partial<SettingsValues>;
  /** What the principals of a test may do now; default: no one is known. */
  readonly principals?: () => Principal | null;
  /** Milliseconds that a task keeps its place while another tenant waits; default: as in the service. */
  readonly turnMs?: number | undefined;
}

/** A process that works, over a database of a test, as far as background work goes. */
export async function startTaskWorker(
  db: TestDatabase,
  { handlers, settings = {}, principals = () => null, turnMs }: TaskWorkerOptions,
): Promise<INestApplicationContext> {
  const values = { role: 'worker', leaseSeconds: 20, tasksKeptDays: 7, ...settings } as SettingsValues;
  const known = { provide: PresentPrincipals, useValue: { find: async () => principals() } };

  const space = { provide: StorageSpace, useValue: plentyOfSpace() };

  @Module({ providers: [...handlers, known, space], exports: [known, space] })
  class HandlersModule {}

  const module = await Test.createTestingModule({
    imports: [
      ConfigModule.forRoot(values),
      MetricsModule.forRoot(new Metrics()),
      LoggerModule.forRoot({ pinoHttp: { level: 'silent', autoLogging: false }, forRoutes: [] }),
      DatabaseModule.forRoot(db.database),
      QueueModule.forRoot({
        databaseUrl: db.url,
        roles: db.database.roles,
        redisUrl: undefined,
        listens: true,
      }),
      { module: HandlersModule, global: true },
      TasksModule.forRoot({ works: true }),
    ],
  })
    .overrideProvider(TaskRules)
    .useValue(new TaskRules(turnMs))
    .compile();
  try {
    return await module.init();
  } catch (error) {
    // What has been opened must not outlive the database of the test: the queue would learn of its end from the server.
    await module.close();
    throw error;
  }
}

/** The kinds of tasks that a process has handlers of. */
export function definitionsIn(process: INestApplicationContext): TaskDefinition[] {
  const registry = process.get(TaskRegistry, { strict: false });
  return registry.list().map(({ definition }) => definition);
}
