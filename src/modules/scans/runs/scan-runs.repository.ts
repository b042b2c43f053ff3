import { Injectable } from '@nestjs/common';
import { newId, type DatasetId, type JsonObject, type Page } from '#libs/common';
import {
  allColumnsOf,
  Any,
  columnsOf,
  LessThan,
  statement,
  TenantRepository,
  type TransactionContext,
  UnitOfWork,
} from '#libs/database';
import { DomainEvents } from '#libs/events';
import { SCAN_COMPLETED } from '../scans.events.js';
import type { RequestContext } from '#libs/tenancy';
import type { ListProfileScansQuery } from './profile-scan.dto.js';
import { ScanRunEntity, type ScanFailure, type ScanKind, type ScanProgress } from './scan-run.entity.js';

/** A scan as repositories return it. */
export type ScanRunRow = Omit<ScanRunEntity, 'tenant_id'>;

const INSERT = statement(
  allColumnsOf(ScanRunEntity),
  `INSERT INTO scan_runs (id, tenant_id, dataset_id, kind, config, requested_by) VALUES ($1, $2, $3, $4, $5, $6) RETURNING *`,
);
const BEGIN = statement(
  allColumnsOf(ScanRunEntity),
  `UPDATE scan_runs r SET status = 'running', started_at = coalesce(r.started_at, now()) FROM datasets d
   WHERE r.id = $1 AND r.dataset_id = $2 AND r.status IN ('pending', 'running') AND d.id = r.dataset_id AND d.deleted_at IS NULL
   RETURNING r.*`,
);
const ADVANCE = statement(
  columnsOf(ScanRunEntity, 'id'),
  `UPDATE scan_runs SET progress = $2 WHERE id = $1 AND status = 'running' RETURNING id`,
);
const COMPLETE = statement(
  columnsOf(ScanRunEntity, 'id', 'dataset_id', 'kind'),
  `UPDATE scan_runs SET status = 'completed', result = $2, error = NULL, ended_at = now()
   WHERE id = $1 AND status = 'running' RETURNING id, dataset_id, kind`,
);
const END = statement(
  columnsOf(ScanRunEntity, 'id'),
  `WITH ended AS (
     UPDATE scan_runs SET status = $2, error = $3, ended_at = now() WHERE id = $1 AND status IN ('pending', 'running')
     RETURNING id, tenant_id, kind, status, error),
   told AS (
     INSERT INTO scan_events (tenant_id, scan_run_id, seq, event, data)
     SELECT tenant_id, id, coalesce((SELECT max(seq) FROM scan_events WHERE scan_run_id = $1), 0) + 1, 'scan.failed',
       jsonb_build_object('scan_run_id', id, 'status', status, 'error', error)
     FROM ended WHERE kind = 'precheck')
   SELECT id FROM ended`,
);
const FORGET_DOCUMENTS = statement({}, `DELETE FROM scanned_documents WHERE scan_run_id = $1`);
const PRUNE = statement(
  {},
  `DELETE FROM scan_runs WHERE id IN (
     SELECT id FROM scan_runs WHERE dataset_id = $1 AND kind = $2 AND ended_at IS NOT NULL ORDER BY created_at DESC, id OFFSET $3)`,
);

/** Scans of datasets, of both kinds; each is inserted together with its task. */
@Injectable()
export class ScanRunsRepository extends TenantRepository {
  constructor(
    unitOfWork: UnitOfWork,
    private readonly events: DomainEvents,
  ) {
    super(unitOfWork);
  }

  /** Undefined for a scan of another dataset or kind. */
  async find(ctx: RequestContext, datasetId: DatasetId, kind: ScanKind, id: string): Promise<ScanRunRow | undefined> {
    const row = await this.withRepository(ctx, ScanRunEntity, (rows) =>
      rows.findOneBy({ id, dataset_id: datasetId, kind }),
    );
    return row ?? undefined;
  }

  /** The scan that is pending or running. */
  async findOpen(ctx: RequestContext, datasetId: DatasetId, kind: ScanKind): Promise<ScanRunRow | undefined> {
    const row = await this.withRepository(ctx, ScanRunEntity, (rows) =>
      rows.findOneBy({ dataset_id: datasetId, kind, status: Any(['pending', 'running']) }),
    );
    return row ?? undefined;
  }

  /** The newest completed scan; with `before`: among those requested before that time. */
  async findLatestCompleted(
    ctx: RequestContext,
    datasetId: DatasetId,
    kind: ScanKind,
    before?: Date,
  ): Promise<ScanRunRow | undefined> {
    const earlier = before === undefined ? {} : { created_at: LessThan(before) };
    const row = await this.withRepository(ctx, ScanRunEntity, (rows) =>
      rows.findOne({
        where: { dataset_id: datasetId, kind, status: 'completed', ...earlier },
        order: { created_at: 'DESC', id: 'ASC' },
      }),
    );
    return row ?? undefined;
  }

  async list(
    ctx: RequestContext,
    datasetId: DatasetId,
    kind: ScanKind,
    { skip, limit, order_by: order }: ListProfileScansQuery,
  ): Promise<Page<ScanRunRow>> {
    return this.withRepository(ctx, ScanRunEntity, async (rows) => {
      const [items, total] = await rows.findAndCount({
        where: { dataset_id: datasetId, kind },
        order: { created_at: order === 'created_at' ? 'ASC' : 'DESC', id: 'ASC' },
        skip,
        take: limit,
      });
      return { items, total, skip, limit };
    });
  }

  /** Inserts a scan in the transaction that has locked the dataset and found no open scan of the kind. */
  async insert(ctx: TransactionContext, datasetId: DatasetId, kind: ScanKind, config: JsonObject): Promise<ScanRunRow> {
    const requestedBy = ctx.principal.kind === 'system' ? null : ctx.principal.accountId;
    const values = [newId(), ctx.tenantId, datasetId, kind, JSON.stringify(config), requestedBy];
    const row = await this.queryOne(ctx, INSERT, values);
    return row!;
  }

  async keepTask(ctx: TransactionContext, id: string, taskId: string): Promise<void> {
    await this.repository(ctx, ScanRunEntity).update({ id }, { task_id: taskId });
  }

  /** Marks it as `running`; undefined when it has ended or its dataset was removed. */
  async begin(ctx: RequestContext, datasetId: DatasetId, id: string): Promise<ScanRunRow | undefined> {
    return this.queryOne(ctx, BEGIN, [id, datasetId]);
  }

  /** Stores the progress and locks the row until the transaction ends; false when it is no longer running. */
  async advance(ctx: TransactionContext, id: string, progress: ScanProgress): Promise<boolean> {
    return (await this.query(ctx, ADVANCE, [id, JSON.stringify(progress)])).length > 0;
  }

  /**
   * `running` → `completed` with its results, and publishes the event; false when it is no longer running. Keeps the newest `most` scans of
   * the dataset.
   */
  async complete(ctx: TransactionContext, id: string, result: JsonObject, most: number): Promise<boolean> {
    const row = await this.queryOne(ctx, COMPLETE, [id, JSON.stringify(result)]);
    if (row === undefined) return false;
    await this.events.publish(ctx, SCAN_COMPLETED, [
      { scan_run_id: row.id, dataset_id: row.dataset_id, kind: row.kind },
    ]);
    await this.query(ctx, PRUNE, [row.dataset_id, row.kind, most]);
    return true;
  }

  /** Ends a pending or running scan and removes its data about single documents; false when it has already ended. */
  async end(
    ctx: RequestContext,
    id: string,
    status: 'failed' | 'cancelled',
    error: ScanFailure | null = null,
  ): Promise<boolean> {
    const rows = await this.query(ctx, END, [id, status, error === null ? null : JSON.stringify(error)]);
    if (rows.length > 0) await this.query(ctx, FORGET_DOCUMENTS, [id]);
    return rows.length > 0;
  }
}
