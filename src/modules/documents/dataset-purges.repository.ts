import { Injectable } from '@nestjs/common';
import { newId, type DatasetId } from '#libs/common';
import { Outbox, TenantRepository, UnitOfWork, type TransactionContext } from '#libs/database';
import { jobPayload } from '#libs/queue';
import type { RequestContext } from '#libs/tenancy';
import type { PurgeStatus } from './dto/purge.dto.js';

/** A row of `dataset_deletions` of kind `purge`. */
export interface PurgeRow {
  readonly id: string;
  readonly dataset_id: DatasetId;
  readonly status: PurgeStatus;
  readonly documents: number;
  readonly chunks: number;
  readonly blobs: number;
  readonly created_at: Date;
  readonly completed_at: Date | null;
}

const COLUMNS = 'id, dataset_id, status, documents, chunks, blobs, created_at, completed_at';

/** Receipts of purges, each written together with the task that a worker carries out. */
@Injectable()
export class DatasetPurgesRepository extends TenantRepository {
  constructor(
    unitOfWork: UnitOfWork,
    private readonly outbox: Outbox,
  ) {
    super(unitOfWork);
  }

  /** Undefined for one of another dataset. */
  async find(ctx: RequestContext, datasetId: DatasetId, purgeId: string): Promise<PurgeRow | undefined> {
    return this.queryOne<PurgeRow>(
      ctx,
      `SELECT ${COLUMNS} FROM dataset_deletions WHERE id = $1 AND dataset_id = $2 AND kind = 'purge'`,
      [purgeId, datasetId],
    );
  }

  /** Counts what was deleted until now, and promises to clean it. */
  async record(ctx: TransactionContext, datasetId: DatasetId): Promise<PurgeRow> {
    const requestedBy = ctx.principal.kind === 'system' ? null : ctx.principal.accountId;
    const row = await this.queryOne<PurgeRow>(
      ctx,
      `WITH gone AS MATERIALIZED (
         SELECT id FROM documents WHERE dataset_id = $3 AND deleted_at <= now()::timestamptz(3))
       INSERT INTO dataset_deletions (id, tenant_id, dataset_id, kind, status, documents, chunks, blobs, requested_by)
       SELECT $1, $2, $3, 'purge', 'pending', (SELECT count(*) FROM gone),
         (SELECT count(*) FROM gone g JOIN chunk_sets s ON s.document_id = g.id JOIN chunks c ON c.chunk_set_id = s.id),
         (SELECT count(*) FROM gone g JOIN document_revisions r ON r.document_id = g.id), $4
       RETURNING ${COLUMNS}`,
      [newId(), ctx.tenantId, datasetId, requestedBy],
    );
    const taskId = newId();
    await this.unitOfWork.asSystem(ctx, (manager) =>
      manager.query(
        `INSERT INTO maintenance_tasks (id, tenant_id, kind, payload) VALUES ($1, $2, 'purge_dataset', $3)`,
        [taskId, ctx.tenantId, JSON.stringify({ datasetId, purgeId: row!.id })],
      ),
    );
    const job = jobPayload('maintenance', { tenantId: ctx.tenantId, taskId, requestId: ctx.requestId });
    await this.outbox.add(ctx, 'maintenance', [job]);
    return row!;
  }
}
