import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Metrics, type Sample } from '#libs/metrics';
import { TasksRepository } from '#libs/tasks';
import { DocumentCounts } from '../../documents/index.js';
import { RECONCILIATION, type ReconciliationReport } from '../../indexing/index.js';

/** Adds the number of documents by status and the findings of the reconciliation to the metrics of a worker. */
@Injectable()
export class IngestionMetrics implements OnModuleInit {
  constructor(
    private readonly tasks: TasksRepository,
    private readonly documents: DocumentCounts,
    private readonly metrics: Metrics,
  ) {}

  onModuleInit(): void {
    const findings = 'Differences that the last reconciliation repaired (mended) or only reported (seen), by kind.';
    this.metrics.addGauge('kb_reconciler_findings', findings, ['action', 'kind'], () => this.readFindings());
    const documents = 'Number of documents of all tenants by status, without deleted ones.';
    this.metrics.addGauge('kb_documents', documents, ['status'], () => this.countDocuments());
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
