import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Metrics, type Sample } from '#libs/metrics';
import { TasksRepository } from '#libs/tasks';
import { DocumentCounts } from '../../documents/index.js';
import { RECONCILIATION, type ReconciliationReport } from '../../indexing/index.js';

/** Contributes documents by state and what the reconciliation found to the metrics of a process that works. */
@Injectable()
export class IngestionMetrics implements OnModuleInit {
  constructor(
    private readonly tasks: TasksRepository,
    private readonly documents: DocumentCounts,
    private readonly metrics: Metrics,
  ) {}

  onModuleInit(): void {
    const findings = 'What the last reconciliation mended, and what it only saw, by kind.';
    this.metrics.addGauge('kb_reconciler_findings', findings, ['action', 'kind'], () => this.readFindings());
    const documents = 'Documents by state, of all tenants, deleted ones left out.';
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
