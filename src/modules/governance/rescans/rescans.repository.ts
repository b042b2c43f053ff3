import { Injectable } from '@nestjs/common';
import { newId, type DatasetId, type DocumentId } from '#libs/common';
import {
  allColumnsOf,
  columnsOf,
  result,
  statement,
  statementFamily,
  TenantRepository,
  UnitOfWork,
  type TransactionContext,
} from '#libs/database';
import type { EntityType } from '#libs/detectors';
import type { RequestContext } from '#libs/tenancy';
import { DatasetAccess, visibilityVariantsOf } from '../../datasets/index.js';
import { FindingEntity } from '../findings/finding.entity.js';
import { RescanEntity, type RescanFailure, type RescanStatus } from '../findings/rescan.entity.js';

/** Maximum number of ended rescans of a dataset; older ones are removed with their findings. */
const MOST_KEPT = 20;

/** A rescan as repositories return it. */
export type RescanRow = Omit<RescanEntity, 'tenant_id'>;

/** Number of findings of one kind of content, and number of documents with them. */
export interface RescanCount {
  readonly entity_type: EntityType;
  readonly findings: number;
  readonly documents: number;
}

/** Progress of a rescan. */
export interface RescanProgress {
  readonly last: DocumentId;
  readonly done: number;
  readonly total: number;
}

const FIND = statementFamily(
  allColumnsOf(RescanEntity),
  (visible: string) =>
    `SELECT r.* FROM governance_rescans r JOIN datasets s ON s.id = r.dataset_id
     WHERE r.id = $1 AND s.deleted_at IS NULL AND ${visible}`,
  visibilityVariantsOf('s', 2).map((visible) => [visible] as const),
);
const FIND_OPEN = statement(
  allColumnsOf(RescanEntity),
  `SELECT * FROM governance_rescans WHERE dataset_id = $1 AND status IN ('pending', 'running')`,
);
const INSERT = statement(
  allColumnsOf(RescanEntity),
  `INSERT INTO governance_rescans (id, tenant_id, dataset_id, requested_by) VALUES ($1, $2, $3, $4) RETURNING *`,
);
const KEEP_TASK = statement({}, `UPDATE governance_rescans SET task_id = $2 WHERE id = $1`);
const BEGIN = statement(
  allColumnsOf(RescanEntity),
  `UPDATE governance_rescans SET status = 'running', started_at = coalesce(started_at, now())
   WHERE id = $1 AND dataset_id = $2 AND status IN ('pending', 'running') RETURNING *`,
);
const ADVANCE = statement(
  columnsOf(RescanEntity, 'id'),
  `UPDATE governance_rescans SET last_document_id = $2, done = $3, total = $4
   WHERE id = $1 AND status = 'running' AND done < $3 RETURNING id`,
);
const END = statement(
  columnsOf(RescanEntity, 'id'),
  `UPDATE governance_rescans SET status = $2, error = $3, ended_at = now()
   WHERE id = $1 AND status IN ('pending', 'running') RETURNING id`,
);
const PRUNE = statement(
  {},
  `DELETE FROM governance_rescans WHERE id IN (
     SELECT id FROM governance_rescans WHERE dataset_id = $1 AND ended_at IS NOT NULL ORDER BY created_at DESC, id OFFSET $2)`,
);
const COUNTS = statement(
  { ...columnsOf(FindingEntity, 'entity_type'), findings: result.integer, documents: result.integer },
  `SELECT f.entity_type, count(*)::int AS findings, count(DISTINCT f.document_id)::int AS documents
   FROM governance_findings f JOIN documents d ON d.id = f.document_id
   WHERE f.rescan_id = $1 AND d.deleted_at IS NULL GROUP BY f.entity_type ORDER BY f.entity_type`,
);

/** Rescans of datasets; each is inserted together with its task. */
@Injectable()
export class RescansRepository extends TenantRepository {
  constructor(
    unitOfWork: UnitOfWork,
    private readonly access: DatasetAccess,
  ) {
    super(unitOfWork);
  }

  /** Undefined for a rescan of a dataset that the caller does not see. */
  async findVisible(ctx: RequestContext, id: string): Promise<RescanRow | undefined> {
    const visible = this.access.visibilityCondition(ctx, 's', 2);
    return this.queryOne(ctx, FIND.of(visible.sql), [id, ...visible.parameters]);
  }

  async findOpen(ctx: RequestContext, datasetId: DatasetId): Promise<RescanRow | undefined> {
    return this.queryOne(ctx, FIND_OPEN, [datasetId]);
  }

  /** Inserts a rescan in the transaction that has locked the dataset and found no open one; removes the oldest ended ones. */
  async insert(ctx: TransactionContext, datasetId: DatasetId): Promise<RescanRow> {
    const requestedBy = ctx.principal.kind === 'system' ? null : ctx.principal.accountId;
    const row = await this.queryOne(ctx, INSERT, [newId(), ctx.tenantId, datasetId, requestedBy]);
    await this.query(ctx, PRUNE, [datasetId, MOST_KEPT]);
    return row!;
  }

  async keepTask(ctx: TransactionContext, id: string, taskId: string): Promise<void> {
    await this.query(ctx, KEEP_TASK, [id, taskId]);
  }

  /** Marks it as `running`; undefined when it has ended. */
  async begin(ctx: RequestContext, datasetId: DatasetId, id: string): Promise<RescanRow | undefined> {
    return this.queryOne(ctx, BEGIN, [id, datasetId]);
  }

  /** Stores the progress; false when it is no longer running, or another worker has made the same progress. */
  async advance(ctx: TransactionContext, id: string, { last, done, total }: RescanProgress): Promise<boolean> {
    return (await this.query(ctx, ADVANCE, [id, last, done, total])).length > 0;
  }

  /** Ends a pending or running rescan; false when it has already ended. */
  async end(
    ctx: RequestContext,
    id: string,
    status: Extract<RescanStatus, 'completed' | 'failed' | 'cancelled'>,
    error: RescanFailure | null = null,
  ): Promise<boolean> {
    const rows = await this.query(ctx, END, [id, status, error === null ? null : JSON.stringify(error)]);
    return rows.length > 0;
  }

  async count(ctx: RequestContext, id: string): Promise<RescanCount[]> {
    return this.query(ctx, COUNTS, [id]);
  }
}
