import { withDeadline } from '#libs/common';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

const REQUEST_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const STAGE_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300];

/** A gauge is asked for no longer than this, so that a scrape ends within the usual ten seconds. */
const READ_DEADLINE_MS = 5_000;

/** One measured value of a gauge that is read at the time of the scrape. */
export interface Sample {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** A call of an adapter. */
export interface ObservedCall {
  readonly dependency: string;
  readonly kind: string;
  readonly operation: string;
  readonly outcome: 'ok' | 'error';
}

/**
 * What the process counts about itself, in the text format of Prometheus. Labels never hold ids of tenants or documents, nor
 * anything that a caller chose: their number must stay bounded.
 */
export class Metrics {
  private readonly registry = new Registry();
  private readonly requests: Histogram;
  private readonly stages: Histogram;
  private readonly outcomes: Counter;
  private readonly calls: Histogram;
  private readonly deliveries: Counter;
  private readonly tasks = new Histogram({
    name: 'kb_task_duration_seconds',
    help: 'Time of tries of background tasks that ended in this process, by kind and outcome.',
    labelNames: ['kind', 'outcome'],
    buckets: STAGE_SECONDS,
    registers: [this.registry],
  });
  /** What is being read for the scrapes that are under way. */
  private readonly reading = new Set<Promise<void>>();
  private readonly unreadable = makeUnreadable(this.registry, this.reading);
  private readonly expired = new Counter({
    name: 'kb_expired_rows_total',
    help: 'Rows that this process removed because their time was over, by what they are.',
    labelNames: ['what'],
    registers: [this.registry],
  });

  constructor() {
    const registers = [this.registry];
    collectDefaultMetrics({ register: this.registry });
    this.requests = new Histogram({
      name: 'kb_http_request_duration_seconds',
      help: 'Time from a request to the end of its answer, by method, route and status.',
      labelNames: ['method', 'route', 'status'],
      buckets: REQUEST_SECONDS,
      registers,
    });
    this.stages = new Histogram({
      name: 'kb_ingestion_stage_duration_seconds',
      help: 'Time that documents spent in a stage of ingestion.',
      labelNames: ['stage'],
      buckets: STAGE_SECONDS,
      registers,
    });
    this.outcomes = new Counter({
      name: 'kb_ingestion_documents_total',
      help: 'Documents whose ingestion ended in this process, by outcome and error code.',
      labelNames: ['outcome', 'code'],
      registers,
    });
    this.deliveries = new Counter({
      name: 'kb_event_deliveries_total',
      help: 'Deliveries of domain events in this process, by subscriber and outcome.',
      labelNames: ['subscriber', 'outcome'],
      registers,
    });
    this.calls = new Histogram({
      name: 'kb_dependency_call_duration_seconds',
      help: 'Time of calls to vector store, object storage, models and receivers of webhooks, streams to their end, by dependency, kind, operation and outcome.',
      labelNames: ['dependency', 'kind', 'operation', 'outcome'],
      buckets: REQUEST_SECONDS,
      registers,
    });
  }

  /** A try of a background task that has ended in this process. */
  observeTask(kind: string, outcome: string, seconds: number): void {
    this.tasks.observe({ kind, outcome }, seconds);
  }

  /** Rows that were removed because their time was over. */
  countExpired(what: string, rows: number): void {
    this.expired.inc({ what }, rows);
  }

  /** Counts an answered request; `route` is the pattern, never the path. */
  observeRequest(method: string, route: string, status: number, seconds: number): void {
    this.requests.observe({ method, route, status: String(status) }, seconds);
  }

  observeStage(stage: string, seconds: number): void {
    this.stages.observe({ stage }, seconds);
  }

  /** `code` is that of the failure, empty otherwise. */
  countOutcome(outcome: 'completed' | 'failed' | 'cancelled' | 'quarantined', code = ''): void {
    this.outcomes.inc({ outcome, code });
  }

  countDelivery(subscriber: string, outcome: 'delivered' | 'failed' | 'parked', times = 1): void {
    this.deliveries.inc({ subscriber, outcome }, times);
  }

  observeCall(call: ObservedCall, seconds: number): void {
    this.calls.observe({ ...call }, seconds);
  }

  /** Says which version runs, and as what: `kb_build_info`, always 1. */
  describeBuild({ version, role }: { readonly version: string; readonly role: string }): void {
    const help = 'Always 1: the version that runs, the role of this process and its runtime.';
    const labels = { version, role, node: process.version };
    new Gauge({ name: 'kb_build_info', help, labelNames: Object.keys(labels), registers: [this.registry] }).set(
      labels,
      1,
    );
  }

  /**
   * Adds a gauge whose values are asked for at each scrape. One that cannot be read in time is left out, and `kb_metrics_unreadable`
   * says so: while the database is away the scrape still tells that it is.
   */
  addGauge(name: string, help: string, labelNames: readonly string[], read: () => Promise<readonly Sample[]>): void {
    const gauge = new Gauge({
      name,
      help,
      labelNames: [...labelNames],
      registers: [this.registry],
      collect: async () => {
        const done = this.readInto(gauge, name, read).finally(() => this.reading.delete(done));
        this.reading.add(done);
        await done;
      },
    });
  }

  private async readInto(gauge: Gauge, name: string, read: () => Promise<readonly Sample[]>): Promise<void> {
    const late = (): Error => new Error(`no answer within ${READ_DEADLINE_MS} ms`);
    try {
      const samples = await withDeadline(read(), READ_DEADLINE_MS, late);
      gauge.reset();
      for (const { labels, value } of samples) gauge.set({ ...labels }, value);
      this.unreadable.set({ metric: name }, 0);
    } catch {
      gauge.reset();
      // One without labels would be 0 now, which no one has measured.
      gauge.remove({});
      this.unreadable.set({ metric: name }, 1);
    }
  }

  /** The media type of `text`. */
  get contentType(): string {
    return this.registry.contentType;
  }

  /** Everything, in the text format. */
  text(): Promise<string> {
    return this.registry.metrics();
  }
}

/** Its values are known when all others have been read: they are begun in the same turn. */
function makeUnreadable(registry: Registry, reading: ReadonlySet<Promise<void>>): Gauge {
  return new Gauge({
    name: 'kb_metrics_unreadable',
    help: '1 for a metric that could not be read and is left out of this scrape, 0 for one that could.',
    labelNames: ['metric'],
    registers: [registry],
    collect: async () => {
      await Promise.resolve();
      await Promise.all(reading);
    },
  });
}
