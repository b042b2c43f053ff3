import { Injectable } from '@nestjs/common';
import type { DatasetId } from '#libs/common';
import { TenantRepository, UnitOfWork, type TransactionContext } from '#libs/database';
import { Tasks } from '#libs/tasks';
import type { RequestContext } from '#libs/tenancy';
import { DatasetDeletionsRepository, type ContentCount, type DeletionRow } from '../datasets/index.js';
import { DATASET_PURGE } from './dataset-purge.task.js';

/** Purges: what is to be cleaned is counted here, the receipt is one of the dataset's. */
@Injectable()
export class DatasetPurgesRepository extends TenantRepository {
  constructor(
    unitOfWork: UnitOfWork,
    private readonly deletions: DatasetDeletionsRepository,
    private readonly tasks: Tasks,
  ) {
    super(unitOfWork);
  }

  /** Undefined for one of another dataset. */
  async find(ctx: RequestContext, datasetId: DatasetId, purgeId: string): Promise<DeletionRow | undefined> {
    return this.deletions.findPurge(ctx, datasetId, purgeId);
  }

  /** Counts what was deleted until now, and promises to clean it. */
  async record(ctx: TransactionContext, datasetId: DatasetId): Promise<DeletionRow> {
    const gone = await this.queryOne<ContentCount>(
      ctx,
      `WITH gone AS MATERIALIZED (
         SELECT id FROM documents WHERE dataset_id = $1 AND deleted_at <= now()::timestamptz(3))
       SELECT (SELECT count(*)::int FROM gone) AS documents,
         (SELECT count(*)::int FROM gone g JOIN chunk_sets s ON s.document_id = g.id JOIN chunks c ON c.chunk_set_id = s.id) AS chunks,
         (SELECT count(*)::int FROM gone g JOIN document_revisions r ON r.document_id = g.id) AS blobs`,
      [datasetId],
    );
    const row = await this.deletions.addReceipt(ctx, 'purge', datasetId, gone!);
    await this.tasks.promise(ctx, DATASET_PURGE, { datasetId, purgeId: row.id });
    return row;
  }
}
