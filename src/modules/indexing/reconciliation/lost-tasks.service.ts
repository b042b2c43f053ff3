import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '#libs/database';
import type { RequestContext } from '#libs/tenancy';
import { DocumentCreationRepository, TASK_PRIORITY } from '../../documents/index.js';
import type { ReportWriter } from './reconciliation-report.js';
import { ReconcilerRepository } from './reconciler.repository.js';

const BATCH = 200;

/** Documents that wait for ingestion but have no task. */
@Injectable()
export class LostTasks {
  constructor(
    private readonly repository: ReconcilerRepository,
    private readonly tasks: DocumentCreationRepository,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** Enqueues a task for pending documents without one, which would otherwise wait for ever. */
  async promise(ctx: RequestContext, report: ReportWriter): Promise<void> {
    for (let after = ''; ;) {
      const open = await this.repository.listOpen(ctx, after, BATCH);
      const known = await this.repository.findWithTask(open.map(({ id }) => id));
      const lost = open.filter(({ id }) => !known.has(id));
      if (lost.length > 0) {
        await this.unitOfWork.run(ctx, (_manager, inner) =>
          this.tasks.enqueueAll(
            inner,
            lost.map((row) => ({
              documentId: row.id,
              datasetId: row.dataset_id,
              sizeBytes: row.size_bytes,
              attempt: row.attempt,
              priority: TASK_PRIORITY.upload,
            })),
          ),
        );
      }
      for (const { id } of lost) report.noteMended('lost_tasks', `document ${id}`);
      if (open.length < BATCH) return;
      after = open.at(-1)!.id;
    }
  }
}
