import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Metrics, type Sample } from '#libs/metrics';
import { TasksRepository, type TaskCount } from '#libs/tasks';
import { DocumentCounts, INGESTION_KIND } from '../documents/index.js';
import { RECONCILIATION } from './maintenance.tasks.js';
import type { ReconciliationReport } from './reconciliation-report.js';

/** Contributes queue depth, queue age and documents by state to the metrics of the process. */
@Injectable()
export class IngestionMetrics implements OnModuleInit {
  constructor(
    private readonly tasks: TasksRepository,
    private readonly documents: DocumentCounts,
    private readonly metrics: Metrics,
  ) {}

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
    const documents = 'Documents by state, of all tenants, deleted ones left out.';
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
    const counts = await this.documents.read();
    return counts.map(({ status, documents }) => ({ labels: { status }, value: Number(documents) }));
  }
}
