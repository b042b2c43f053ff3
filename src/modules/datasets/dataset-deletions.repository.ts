import { Injectable } from '@nestjs/common';
import { newId, type AccountId, type DatasetId } from '#libs/common';
import { columnsOf, statement, TenantRepository, UnitOfWork, type TransactionContext } from '#libs/database';
import { Tasks } from '#libs/tasks';
import type { RequestContext } from '#libs/tenancy';
import type { ContentCount } from './dataset-contents.port.js';
import { DatasetEntity } from './dataset.entity.js';
import { DATASET_DELETION } from './dataset-deletion.task.js';
import { visibilityConditionOf } from './dataset-visibility.js';

/** A dataset about to be deleted. */
export interface DeletionCandidate {
  readonly id: DatasetId;
  readonly owner_id: AccountId;
  /** Whether the caller sees it. */
  readonly visible: boolean;
}

/** A row of `dataset_deletions`: the receipt of a deletion of a dataset, or of a purge of what was deleted in one. */
export interface DeletionRow extends ContentCount {
  readonly id: string;
  readonly dataset_id: DatasetId;
  readonly status: 'pending' | 'running' | 'completed' | 'failed';
  readonly created_at: Date;
  readonly completed_at: Date | null;
}

const COLUMNS = 'id, dataset_id, status, documents, chunks, blobs, created_at, completed_at';

const LOCK_DATASET_OF = statement(
  columnsOf(DatasetEntity, 'id'),
  `SELECT d.id FROM datasets d JOIN dataset_deletions r ON r.dataset_id = d.id WHERE r.id = $1 FOR NO KEY UPDATE OF d`,
);

/** Deletions of datasets and of what is in them, with the receipts that callers can look at. */
@Injectable()
export class DatasetDeletionsRepository extends TenantRepository {
  constructor(
    unitOfWork: UnitOfWork,
    private readonly tasks: Tasks,
  ) {
    super(unitOfWork);
  }

  /**
   * The dataset, seen by the caller or not, locked against every other writer and against whoever adds documents to it;
   * undefined when it is absent or already deleted.
   */
  async lockPresent(ctx: TransactionContext, id: string): Promise<DeletionCandidate | undefined> {
    const visible = visibilityConditionOf(ctx.principal, 'd', 2);
    return this.queryOne<DeletionCandidate>(
      ctx,
      `SELECT d.id, d.owner_id, ${visible.sql} AS visible FROM datasets d
       WHERE d.id = $1 AND d.deleted_at IS NULL FOR UPDATE OF d`,
      [id, ...visible.parameters],
    );
  }

  async markDeleted(ctx: TransactionContext, id: DatasetId): Promise<void> {
    await this.query(
      ctx,
      `UPDATE datasets SET deleted_at = now(), updated_at = now(), version = version + 1 WHERE id = $1`,
      [id],
    );
  }

  /** Writes the receipt together with the task that a worker carries out. */
  async record(ctx: TransactionContext, datasetId: DatasetId, count: ContentCount): Promise<DeletionRow> {
    const row = await this.addReceipt(ctx, 'delete', datasetId, count);
    await this.tasks.promise(ctx, DATASET_DELETION, { datasetId, deletionId: row.id });
    return row;
  }

  /** Writes a receipt alone; whoever asks promises the work. */
  async addReceipt(
    ctx: TransactionContext,
    kind: 'delete' | 'purge',
    datasetId: DatasetId,
    count: ContentCount,
  ): Promise<DeletionRow> {
    const requestedBy = ctx.principal.kind === 'system' ? null : ctx.principal.accountId;
    const [row] = await this.query<DeletionRow>(
      ctx,
      `INSERT INTO dataset_deletions (id, tenant_id, dataset_id, kind, status, documents, chunks, blobs, requested_by)
       VALUES ($1, $2, $3, $4, 'pending', $5, $6, $7, $8) RETURNING ${COLUMNS}`,
      [newId(), ctx.tenantId, datasetId, kind, count.documents, count.chunks, count.blobs, requestedBy],
    );
    return row!;
  }

  /** The receipt of a purge; undefined for one of another dataset. */
  async findPurge(ctx: RequestContext, datasetId: DatasetId, purgeId: string): Promise<DeletionRow | undefined> {
    return this.queryOne<DeletionRow>(
      ctx,
      `SELECT ${COLUMNS} FROM dataset_deletions WHERE id = $1 AND dataset_id = $2 AND kind = 'purge'`,
      [purgeId, datasetId],
    );
  }

  /** Says that a worker is at it; undefined when it has been done. */
  async begin(ctx: RequestContext, id: string): Promise<DeletionRow | undefined> {
    return this.queryOne<DeletionRow>(
      ctx,
      `UPDATE dataset_deletions SET status = 'running' WHERE id = $1 AND status <> 'completed' RETURNING ${COLUMNS}`,
      [id],
    );
  }

  /**
   * Says that all is done, with the dataset's row locked where there is one still. Undefined when it had been said before: whoever
   * tells others of it does so once.
   */
  async complete(ctx: RequestContext, id: string): Promise<DeletionRow | undefined> {
    return this.unitOfWork.run(ctx, async (_manager, inner) => {
      await this.query(inner, LOCK_DATASET_OF, [id]);
      return this.queryOne<DeletionRow>(
        inner,
        `UPDATE dataset_deletions SET status = 'completed', completed_at = now()
         WHERE id = $1 AND status <> 'completed' RETURNING ${COLUMNS}`,
        [id],
      );
    });
  }

  /** Removes the row of a deleted dataset, in which nothing must be left. */
  async removeDataset(ctx: RequestContext, datasetId: DatasetId): Promise<void> {
    await this.query(ctx, `DELETE FROM datasets WHERE id = $1 AND deleted_at IS NOT NULL`, [datasetId]);
  }
}
