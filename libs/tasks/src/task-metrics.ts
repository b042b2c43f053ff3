import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Metrics, type Sample } from '#libs/metrics';
import { TasksRepository, type TaskCount } from './tasks.repository.js';

/** Documents on their way into the index. */
const DOCUMENTS = 'ingestion';
const NONE: Omit<TaskCount, 'kind'> = {
  waiting: 0,
  delayed: 0,
  running: 0,
  failed: 0,
  oldestSeconds: 0,
  oldestOpenSeconds: 0,
};

/** Contributes how much background work there is to the metrics of every process: those that promise work see that no one does it. */
@Injectable()
export class TaskMetrics implements OnModuleInit {
  private counting: Promise<readonly TaskCount[]> | undefined;

  constructor(
    private readonly tasks: TasksRepository,
    private readonly metrics: Metrics,
  ) {}

  onModuleInit(): void {
    const states =
      'Background tasks that wait for a worker, wait for a time, run or have failed, of all tenants, by kind.';
    this.metrics.addGauge('kb_tasks', states, ['kind', 'state'], async () =>
      (await this.count()).flatMap((count) =>
        samplesOf(count, ['waiting', 'delayed', 'running', 'failed']).map(({ labels, value }) => ({
          labels: { kind: count.kind, ...labels },
          value,
        })),
      ),
    );
    const age = 'Seconds that the background task waits which has waited longest for a worker, by kind.';
    this.metrics.addGauge('kb_tasks_oldest_waiting_seconds', age, ['kind'], async () =>
      (await this.count()).map(({ kind, oldestSeconds }) => ({ labels: { kind }, value: oldestSeconds })),
    );
    const documents = 'Documents that wait for a worker, wait for a time, or are worked on, of all tenants.';
    this.metrics.addGauge('kb_ingestion_tasks', documents, ['state'], async () =>
      samplesOf(await this.countDocuments(), ['waiting', 'delayed', 'running']),
    );
    const oldest = 'Seconds that the document waits which has waited longest, for a worker or for a dependency.';
    this.metrics.addGauge('kb_ingestion_oldest_waiting_seconds', oldest, [], async () => [
      { labels: {}, value: (await this.countDocuments()).oldestOpenSeconds },
    ]);
  }

  private async countDocuments(): Promise<Omit<TaskCount, 'kind'>> {
    return (await this.count()).find(({ kind }) => kind === DOCUMENTS) ?? NONE;
  }

  /** The gauges of one scrape share one count. */
  private count(): Promise<readonly TaskCount[]> {
    this.counting ??= this.tasks.count().finally(() => (this.counting = undefined));
    return this.counting;
  }
}

function samplesOf(
  count: Omit<TaskCount, 'kind'>,
  states: readonly ('waiting' | 'delayed' | 'running' | 'failed')[],
): Sample[] {
  return states.map((state) => ({ labels: { state }, value: count[state] }));
}
