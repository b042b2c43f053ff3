import { Injectable, type OnModuleInit } from '@nestjs/common';
import { SingleFlight } from '#libs/common';
import { Metrics, type Sample } from '#libs/metrics';
import { ProcessesRepository, type WorkOverview } from '#libs/tasks';
import { COMPONENTS } from './component-checks.service.js';
import { ComponentWatch } from './component-watch.service.js';

/** Reasons that always have a value, so that alarms can use them. */
const USUAL_REASONS = ['queued', 'store_unavailable', 'provider_backoff', 'retry_backoff', 'worker_lost'];
const DOCUMENTS = 'ingestion';
/** Maximum time that a scrape waits for the counts. */
const NEVER = new AbortController().signal;

/**
 * Adds the state of the components, the number of workers and the waiting documents to the metrics of every process, whatever its role.
 */
@Injectable()
export class HealthMetrics implements OnModuleInit {
  private readonly counting = new SingleFlight<WorkOverview>();

  constructor(
    private readonly watch: ComponentWatch,
    private readonly processes: ProcessesRepository,
    private readonly metrics: Metrics,
  ) {}

  onModuleInit(): void {
    const components = '1 while a component of the service is up (or switched off), 0 while it is down or degraded.';
    this.metrics.addGauge('kb_component_up', components, ['component'], () => this.readComponents());
    const workers =
      'Processes that carry background work out and were seen in the last 15 seconds, of the installation.';
    this.metrics.addGauge('kb_workers_live', workers, [], async () => [
      { labels: {}, value: (await this.overview()).workers },
    ]);
    const waiting = 'Number of documents that wait, by the reason, of all tenants.';
    this.metrics.addGauge('kb_documents_waiting', waiting, ['reason'], () => this.readWaiting());
  }

  private async readComponents(): Promise<Sample[]> {
    const states = await this.watch.states();
    return COMPONENTS.map((component) => {
      const { status } = states[component];
      return { labels: { component }, value: status === 'up' || status === 'disabled' ? 1 : 0 };
    });
  }

  private async readWaiting(): Promise<Sample[]> {
    const { waiting } = await this.overview();
    const counts = new Map(USUAL_REASONS.map((reason) => [reason, 0]));
    for (const { kind, reason, tasks } of waiting) if (kind === DOCUMENTS) counts.set(reason, tasks);
    return [...counts].map(([reason, value]) => ({ labels: { reason }, value }));
  }

  /** The gauges of one scrape share one query. */
  private overview(): Promise<WorkOverview> {
    return this.counting.run('all', () => this.processes.overview(), NEVER);
  }
}
