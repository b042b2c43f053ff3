import { Injectable } from '@nestjs/common';
import { newId, type AccountId, type DatasetId } from '#libs/common';
import { Outbox, TenantRepository, UnitOfWork, type TransactionContext } from '#libs/database';
import { jobPayload } from '#libs/queue';
import type { ContentCount } from './dataset-contents.port.js';
import { visibilityConditionOf } from './dataset-visibility.js';

/** A dataset about to be deleted. */
export interface DeletionCandidate {
  readonly id: DatasetId;
  readonly owner_id: AccountId;
  /** Whether the caller sees it. */
  readonly visible: boolean;
}

/** A row of table `dataset_deletions` that has just been written. */
export interface DeletionRow extends ContentCount {
  readonly id: string;
  readonly created_at: Date;
}

@Injectable()
export class DatasetDeletionsRepository extends TenantRepository {
  constructor(
    unitOfWork: UnitOfWork,
    private readonly outbox: Outbox,
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
    const requestedBy = ctx.principal.kind === 'system' ? null : ctx.principal.accountId;
    const [row] = await this.query<DeletionRow>(
      ctx,
      `INSERT INTO dataset_deletions (id, tenant_id, dataset_id, kind, status, documents, chunks, blobs, requested_by)
       VALUES ($1, $2, $3, 'delete', 'pending', $4, $5, $6, $7) RETURNING id, documents, chunks, blobs, created_at`,
      [newId(), ctx.tenantId, datasetId, count.documents, count.chunks, count.blobs, requestedBy],
    );
    const taskId = newId();
    await this.unitOfWork.asSystem(ctx, (manager) =>
      manager.query(
        `INSERT INTO maintenance_tasks (id, tenant_id, kind, payload) VALUES ($1, $2, 'delete_dataset', $3)`,
        [taskId, ctx.tenantId, JSON.stringify({ datasetId, deletionId: row!.id })],
      ),
    );
    const job = jobPayload('maintenance', { tenantId: ctx.tenantId, taskId, requestId: ctx.requestId });
    await this.outbox.add(ctx, 'maintenance', [job]);
    return row!;
  }
}
