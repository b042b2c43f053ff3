import { Injectable } from '@nestjs/common';
import type { DatasetId } from '#libs/common';
import { result, SQL_NOW, statement, TenantRepository, type TransactionContext, UnitOfWork } from '#libs/database';
import { DATASET_PURGED } from '../documents.events.js';
import { DomainEvents } from '#libs/events';
import { Tasks } from '#libs/tasks';
import type { RequestContext } from '#libs/tenancy';
import { DatasetDeletionsRepository, type DeletionRow } from '../../datasets/index.js';
import { DATASET_PURGE } from './dataset-purge.task.js';

const COUNT_GONE = statement(
  { documents: result.integer, chunks: result.integer, blobs: result.integer },
  `WITH gone AS MATERIALIZED (
     SELECT id FROM documents WHERE dataset_id = $1 AND deleted_at <= ${SQL_NOW})
   SELECT (SELECT count(*)::int FROM gone) AS documents,
     (SELECT count(*)::int FROM gone g JOIN chunk_sets s ON s.document_id = g.id JOIN chunks c ON c.chunk_set_id = s.id) AS chunks,
     (SELECT count(*)::int FROM gone g JOIN document_revisions r ON r.document_id = g.id) AS blobs`,
);

/** Purges: counts the data to remove and keeps a receipt among the dataset's deletions. */
@Injectable()
export class DatasetPurgesRepository extends TenantRepository {
  constructor(
    unitOfWork: UnitOfWork,
    private readonly deletions: DatasetDeletionsRepository,
    private readonly tasks: Tasks,
    private readonly events: DomainEvents,
  ) {
    super(unitOfWork);
  }

  /** Undefined for a purge of another dataset. */
  async find(ctx: RequestContext, datasetId: DatasetId, purgeId: string): Promise<DeletionRow | undefined> {
    return this.deletions.findPurge(ctx, datasetId, purgeId);
  }

  /** Counts the documents deleted until now, and enqueues the task that removes their data. */
  async record(ctx: TransactionContext, datasetId: DatasetId): Promise<DeletionRow> {
    const gone = await this.queryOne(ctx, COUNT_GONE, [datasetId]);
    const row = await this.deletions.addReceipt(ctx, 'purge', datasetId, gone!);
    await this.tasks.promise(ctx, DATASET_PURGE, { datasetId, purgeId: row.id });
    return row;
  }

  /** Marks the purge as `running`; undefined when it has already been completed. */
  async begin(ctx: RequestContext, purgeId: string): Promise<DeletionRow | undefined> {
    return this.deletions.begin(ctx, purgeId);
  }

  /** Marks the purge as `completed`, once. */
  async complete(ctx: RequestContext, purgeId: string): Promise<void> {
    await this.unitOfWork.run(ctx, async (_manager, inner) => {
      const row = await this.deletions.complete(inner, purgeId);
      if (row === undefined) return;
      const { dataset_id, documents, chunks, blobs } = row;
      await this.events.publish(inner, DATASET_PURGED, [{ dataset_id, purge_id: purgeId, documents, chunks, blobs }]);
    });
  }
}
