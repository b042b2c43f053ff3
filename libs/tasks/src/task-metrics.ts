import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Metrics } from '#libs/metrics';
import { TasksRepository } from './tasks.repository.js';

/** Contributes how much background work there is to the metrics of the process. */
@Injectable()
export class TaskMetrics implements OnModuleInit {
  constructor(
    private readonly tasks: TasksRepository,
    private readonly metrics: Metrics,
  ) {}

  onModuleInit(): void {
    const states =
      'Background tasks that wait for a worker, wait for a time, run or have failed, of all tenants, by kind.';
    this.metrics.addGauge('kb_tasks', states, ['kind', 'state'], async () =>
      (await this.tasks.count()).flatMap(({ kind, waiting, delayed, running, failed }) =>
        Object.entries({ waiting, delayed, running, failed }).map(([state, value]) => ({
          labels: { kind, state },
          value,
        })),
      ),
    );
    const age = 'Seconds that the background task waits which has waited longest for a worker, by kind.';
    this.metrics.addGauge('kb_tasks_oldest_waiting_seconds', age, ['kind'], async () =>
      (await this.tasks.count()).map(({ kind, oldestSeconds }) => ({ labels: { kind }, value: oldestSeconds })),
    );
  }
}
