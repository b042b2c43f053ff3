import { Injectable } from '@nestjs/common';
import { newId, type DatasetId } from '#libs/common';
import {
  columnsOf,
  IsNull,
  Not,
  result,
  statement,
  statementFamily,
  TenantRepository,
  UnitOfWork,
  type RowOf,
  type TransactionContext,
} from '#libs/database';
import { Tasks } from '#libs/tasks';
import type { RequestContext } from '#libs/tenancy';
import type { ContentCount } from '../record/dataset-contents.port.js';
import { DatasetEntity } from '../record/dataset.entity.js';
import { DatasetDeletionEntity } from './dataset-deletion.entity.js';
import { DATASET_DELETION } from './dataset-deletion.task.js';
import { visibilityConditionOf, visibilityVariantsOf } from '../access/dataset-visibility.js';

const CANDIDATE = {
  ...columnsOf(DatasetEntity, 'id', 'owner_id'),
  /** Whether the caller sees the dataset. */
  visible: result.boolean,
};
/** A dataset about to be deleted. */
export type DeletionCandidate = RowOf<typeof CANDIDATE>;

const DELETION = columnsOf(
  DatasetDeletionEntity,
  'id',
  'dataset_id',
  'status',
  'documents',
  'chunks',
  'blobs',
  'created_at',
  'completed_at',
);
/** A row of `dataset_deletions`: the receipt of the deletion of a dataset, or of a purge of its deleted documents. */
export type DeletionRow = RowOf<typeof DELETION>;

const COLUMNS = 'id, dataset_id, status, documents, chunks, blobs, created_at, completed_at';

const LOCK_DATASET_OF = statement(
  columnsOf(DatasetEntity, 'id'),
  `SELECT d.id FROM datasets d JOIN dataset_deletions r ON r.dataset_id = d.id WHERE r.id = $1 FOR NO KEY UPDATE OF d`,
);

const LOCK_PRESENT = statementFamily(
  CANDIDATE,
  (visible: string) =>
    `SELECT d.id, d.owner_id, ${visible} AS visible FROM datasets d
     WHERE d.id = $1 AND d.deleted_at IS NULL FOR UPDATE OF d`,
  visibilityVariantsOf('d', 2).map((visible) => [visible] as const),
);
const MARK_DELETED = statement(
  {},
  `UPDATE datasets SET deleted_at = now(), updated_at = now(), version = version + 1 WHERE id = $1`,
);
const ADD_RECEIPT = statement(
  DELETION,
  `INSERT INTO dataset_deletions (id, tenant_id, dataset_id, kind, status, documents, chunks, blobs, requested_by)
   VALUES ($1, $2, $3, $4, 'pending', $5, $6, $7, $8) RETURNING ${COLUMNS}`,
);
const FIND_PURGE = statement(
  DELETION,
  `SELECT ${COLUMNS} FROM dataset_deletions WHERE id = $1 AND dataset_id = $2 AND kind = 'purge'`,
);
const BEGIN = statement(
  DELETION,
  `UPDATE dataset_deletions SET status = 'running' WHERE id = $1 AND status <> 'completed' RETURNING ${COLUMNS}`,
);
const COMPLETE = statement(
  DELETION,
  `UPDATE dataset_deletions SET status = 'completed', completed_at = now()
   WHERE id = $1 AND status <> 'completed' RETURNING ${COLUMNS}`,
);

/** Deletions and purges of datasets, with their receipts. */
@Injectable()
export class DatasetDeletionsRepository extends TenantRepository {
  constructor(
    unitOfWork: UnitOfWork,
    private readonly tasks: Tasks,
  ) {
    super(unitOfWork);
  }

  /**
   * The dataset, visible to the caller or not, locked against other writers and against new documents; undefined when it is absent or
   * already deleted.
   */
  async lockPresent(ctx: TransactionContext, id: string): Promise<DeletionCandidate | undefined> {
    const visible = visibilityConditionOf(ctx.principal, 'd', 2);
    return this.queryOne(ctx, LOCK_PRESENT.of(visible.sql), [id, ...visible.parameters]);
  }

  async markDeleted(ctx: TransactionContext, id: DatasetId): Promise<void> {
    await this.query(ctx, MARK_DELETED, [id]);
  }

  /** Writes the receipt together with its task. */
  async record(ctx: TransactionContext, datasetId: DatasetId, count: ContentCount): Promise<DeletionRow> {
    const row = await this.addReceipt(ctx, 'delete', datasetId, count);
    await this.tasks.promise(ctx, DATASET_DELETION, { datasetId, deletionId: row.id });
    return row;
  }

  /** Writes only a receipt; the caller must enqueue the task. */
  async addReceipt(
    ctx: TransactionContext,
    kind: 'delete' | 'purge',
    datasetId: DatasetId,
    count: ContentCount,
  ): Promise<DeletionRow> {
    const requestedBy = ctx.principal.kind === 'system' ? null : ctx.principal.accountId;
    const [row] = await this.query(ctx, ADD_RECEIPT, [
      newId(),
      ctx.tenantId,
      datasetId,
      kind,
      count.documents,
      count.chunks,
      count.blobs,
      requestedBy,
    ]);
    return row!;
  }

  /** The receipt of a purge; undefined for a purge of another dataset. */
  async findPurge(ctx: RequestContext, datasetId: DatasetId, purgeId: string): Promise<DeletionRow | undefined> {
    return this.queryOne(ctx, FIND_PURGE, [purgeId, datasetId]);
  }

  /** Marks it as `running`; undefined when it has already been completed. */
  async begin(ctx: RequestContext, id: string): Promise<DeletionRow | undefined> {
    return this.queryOne(ctx, BEGIN, [id]);
  }

  /**
   * Marks it as `completed`, with the dataset's row locked if it still exists. Undefined when it was already completed, so that the
   * completion is published once.
   */
  async complete(ctx: RequestContext, id: string): Promise<DeletionRow | undefined> {
    return this.unitOfWork.run(ctx, async (_manager, inner) => {
      await this.query(inner, LOCK_DATASET_OF, [id]);
      return this.queryOne(inner, COMPLETE, [id]);
    });
  }

  /** Removes the row of a deleted dataset, which must be empty. */
  async removeDataset(ctx: RequestContext, datasetId: DatasetId): Promise<void> {
    await this.withRepository(ctx, DatasetEntity, (rows) => rows.delete({ id: datasetId, deleted_at: Not(IsNull()) }));
  }
}
