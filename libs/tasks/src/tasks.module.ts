import { Global, Module, type DynamicModule } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { FinishedTasks } from './finished-tasks.task.js';
import { TaskKinds } from './task-kinds.js';
import { TaskLeases } from './task-leases.js';
import { TaskLeasesRepository } from './task-leases.repository.js';
import { TaskMetrics } from './task-metrics.js';
import { TaskRegistry } from './task-registry.js';
import { TaskRules } from './task-rules.js';
import { TaskRun } from './task-run.js';
import { TaskRunner } from './task-runner.js';
import { TaskSweeper } from './task-sweeper.js';
import { Tasks } from './tasks.js';
import { TasksRepository } from './tasks.repository.js';

const PROMISES = [Tasks, TasksRepository, TaskLeasesRepository, TaskMetrics];
const RULES = { provide: TaskRules, useFactory: () => new TaskRules() };
const WORKS = [RULES, TaskKinds, TaskLeases, TaskRegistry, TaskRun, TaskRunner, TaskSweeper, FinishedTasks];

/** Background work. Every process can create tasks; workers run them. */
@Global()
@Module({})
export class TasksModule {
  /** A worker needs the service's provider of `PresentPrincipals`. */
  static forRoot({ works }: { readonly works: boolean }): DynamicModule {
    const exported = works
      ? [Tasks, TasksRepository, TaskLeasesRepository, TaskKinds, TaskLeases]
      : [Tasks, TasksRepository];
    return {
      module: TasksModule,
      imports: works ? [DiscoveryModule] : [],
      providers: works ? [...PROMISES, ...WORKS] : PROMISES,
      exports: exported,
    };
  }
}
