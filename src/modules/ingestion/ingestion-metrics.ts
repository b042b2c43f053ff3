import { Injectable, type OnModuleInit } from '@nestjs/common';
import { newId } from '#libs/common';
import { columnsOf, result, statement, TenantRepository, UnitOfWork } from '#libs/database';
import { Metrics, type Sample } from '#libs/metrics';
import { TasksRepository, type TaskCount } from '#libs/tasks';
import { TenantDirectory } from '../accounts/index.js';
import { DocumentEntity, INGESTION_KIND } from '../documents/index.js';
import { RECONCILIATION } from './maintenance.tasks.js';
import type { ReconciliationReport } from './reconciliation-report.js';
import { systemContext } from './system-context.js';

/** Documents are counted tenant by tenant, because no role sees more than one tenant's; so not at every scrape. */
const DOCUMENTS_KEPT_MS = 15_000;

const COUNT_DOCUMENTS = statement(
  { ...columnsOf(DocumentEntity, 'status'), n: result.integer },
  `SELECT status, count(*)::int AS n FROM documents WHERE deleted_at IS NULL GROUP BY status`,
);

/** Contributes queue depth, queue age and documents by state to the metrics of the process. */
@Injectable()
export class IngestionMetrics extends TenantRepository implements OnModuleInit {
  private documents: { readonly at: number; readonly samples: readonly Sample[] } = { at: -Infinity, samples: [] };

  constructor(
    unitOfWork: UnitOfWork,
    private readonly tasks: TasksRepository,
    private readonly tenants: TenantDirectory,
    private readonly metrics: Metrics,
  ) {
    super(unitOfWork);
  }

  onModuleInit(): void {
    const tasks = 'Documents that wait for a worker, wait for a time, or are worked on, of all tenants.';
    this.metrics.addGauge('kb_ingestion_tasks', tasks, ['state'], async () => {
      const { waiting, delayed, running } = await this.countTasks();
      return Object.entries({ waiting, delayed, running }).map(([state, value]) => ({ labels: { state }, value }));
    });
    const age = 'Seconds that the document waits which has waited longest for a worker.';
    this.metrics.addGauge('kb_ingestion_oldest_waiting_seconds', age, [], async () => [
      { labels: {}, value: (await this.countTasks()).oldestSeconds },
    ]);
    const findings = 'What the last reconciliation mended, and what it only saw, by kind.';
    this.metrics.addGauge('kb_reconciler_findings', findings, ['action', 'kind'], () => this.readFindings());
    const documents = 'Documents by state, of all tenants, deleted ones left out; counted every 15 s at most.';
    this.metrics.addGauge('kb_documents', documents, ['status'], () => this.countDocuments());
  }

  private async countTasks(): Promise<TaskCount> {
    const counts = await this.tasks.count();
    const none = { kind: INGESTION_KIND, waiting: 0, delayed: 0, running: 0, failed: 0, oldestSeconds: 0 };
    return counts.find(({ kind }) => kind === INGESTION_KIND) ?? none;
  }

  private async readFindings(): Promise<readonly Sample[]> {
    const task = await this.tasks.findLatestCompleted(RECONCILIATION.kind);
    if (task === undefined) return [];
    const { mended, seen } = task.progress as unknown as ReconciliationReport;
    return Object.entries({ mended, seen }).flatMap(([action, counts]) =>
      Object.entries(counts).map(([kind, value]) => ({ labels: { action, kind }, value })),
    );
  }

  private async countDocuments(): Promise<readonly Sample[]> {
    if (Date.now() - this.documents.at < DOCUMENTS_KEPT_MS) return this.documents.samples;
    const totals = new Map<string, number>();
    for (const tenantId of await this.tenants.list()) {
      const rows = await this.query(systemContext(tenantId, newId()), COUNT_DOCUMENTS);
      for (const { status, n } of rows) totals.set(status, (totals.get(status) ?? 0) + n);
    }
    const samples = [...totals].map(([status, value]) => ({ labels: { status }, value }));
    this.documents = { at: Date.now(), samples };
    return samples;
  }
}
