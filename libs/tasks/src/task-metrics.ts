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

/** Contributes the amount of background work to the metrics of every process, so that processes without workers show work that is not done. */
@Injectable()
export class TaskMetrics implements OnModuleInit {
  private counting: Promise<readonly TaskCount[]> | undefined;

  constructor(
    private readonly tasks: TasksRepository,
    private readonly metrics: Metrics,
  ) {}

  onModuleInit(): void {
    const states =
      'Number of background tasks that wait for a worker, wait for a time, run or have failed, of all tenants, by kind.';
    this.metrics.addGauge('kb_tasks', states, ['kind', 'state'], async () =>
      (await this.count()).flatMap((count) =>
        samplesOf(count, ['waiting', 'delayed', 'running', 'failed']).map(({ labels, value }) => ({
          labels: { kind: count.kind, ...labels },
          value,
        })),
      ),
    );
    const age = 'Seconds for which the oldest waiting background task has waited for a worker, by kind.';
    this.metrics.addGauge('kb_tasks_oldest_waiting_seconds', age, ['kind'], async () =>
      (await this.count()).map(({ kind, oldestSeconds }) => ({ labels: { kind }, value: oldestSeconds })),
    );
    const documents =
      'Number of documents that wait for a worker, wait for a time or are being ingested, of all tenants.';
    this.metrics.addGauge('kb_ingestion_tasks', documents, ['state'], async () =>
      samplesOf(await this.countDocuments(), ['waiting', 'delayed', 'running']),
    );
    const oldest = 'Seconds for which the oldest waiting document has waited for a worker or a dependency.';
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
