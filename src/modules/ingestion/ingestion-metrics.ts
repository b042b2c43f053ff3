import { Injectable, type OnModuleInit } from '@nestjs/common';
import { newId } from '#libs/common';
import { rowsOf, TenantRepository, UnitOfWork } from '#libs/database';
import { Metrics, type Sample } from '#libs/metrics';
import { MaintenanceTasksRepository } from './maintenance-tasks.repository.js';
import type { ReconciliationReport } from './reconciliation-report.js';
import { systemContext } from './system-context.js';

/** Documents are counted tenant by tenant, because no role sees more than one tenant's; so not at every scrape. */
const DOCUMENTS_KEPT_MS = 15_000;

interface TaskCounts {
  readonly waiting: number;
  readonly delayed: number;
  readonly running: number;
  readonly oldest: number;
}

/** Contributes queue depth, queue age and documents by state to the metrics of the process. */
@Injectable()
export class IngestionMetrics extends TenantRepository implements OnModuleInit {
  private documents: { readonly at: number; readonly samples: readonly Sample[] } = { at: -Infinity, samples: [] };

  constructor(
    unitOfWork: UnitOfWork,
    private readonly maintenance: MaintenanceTasksRepository,
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
      { labels: {}, value: (await this.countTasks()).oldest },
    ]);
    const findings = 'What the last reconciliation mended, and what it only saw, by kind.';
    this.metrics.addGauge('kb_reconciler_findings', findings, ['action', 'kind'], () => this.readFindings());
    const documents = 'Documents by state, of all tenants, deleted ones left out; counted every 15 s at most.';
    this.metrics.addGauge('kb_documents', documents, ['status'], () => this.countDocuments());
  }

  private async countTasks(): Promise<TaskCounts> {
    const [row] = await this.unitOfWork.runAsSystem((manager) =>
      rowsOf<TaskCounts>(
        manager,
        `WITH tasks AS (SELECT lease_expires_at > now() AS running, not_before > now() AS delayed, queued_at FROM ingestion_tasks)
         SELECT count(*) FILTER (WHERE running)::int AS running,
           count(*) FILTER (WHERE running IS NOT TRUE AND delayed)::int AS delayed,
           count(*) FILTER (WHERE running IS NOT TRUE AND delayed IS NOT TRUE)::int AS waiting,
           coalesce(extract(epoch FROM now() - min(queued_at) FILTER (WHERE running IS NOT TRUE AND delayed IS NOT TRUE)), 0)::float8 AS oldest
         FROM tasks`,
      ),
    );
    return row ?? { waiting: 0, delayed: 0, running: 0, oldest: 0 };
  }

  private async readFindings(): Promise<readonly Sample[]> {
    const task = await this.maintenance.findLatestCompleted('reconcile');
    if (task === undefined) return [];
    const { mended, seen } = task.progress as unknown as ReconciliationReport;
    return Object.entries({ mended, seen }).flatMap(([action, counts]) =>
      Object.entries(counts).map(([kind, value]) => ({ labels: { action, kind }, value })),
    );
  }

  private async countDocuments(): Promise<readonly Sample[]> {
    if (Date.now() - this.documents.at < DOCUMENTS_KEPT_MS) return this.documents.samples;
    const totals = new Map<string, number>();
    for (const tenantId of await this.maintenance.listTenants()) {
      const rows = await this.query<{ status: string; n: number }>(
        systemContext(tenantId, newId()),
        `SELECT status, count(*)::int AS n FROM documents WHERE deleted_at IS NULL GROUP BY status`,
      );
      for (const { status, n } of rows) totals.set(status, (totals.get(status) ?? 0) + n);
    }
    const samples = [...totals].map(([status, value]) => ({ labels: { status }, value }));
    this.documents = { at: Date.now(), samples };
    return samples;
  }
}
