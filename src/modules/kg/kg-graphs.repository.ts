import { Injectable } from '@nestjs/common';
import { newId, type DatasetId, type DocumentId } from '#libs/common';
import {
  allColumnsOf,
  columnsOf,
  statement,
  statementFamily,
  TenantRepository,
  UnitOfWork,
  type RowOf,
  type TransactionContext,
} from '#libs/database';
import { DomainEvents, KG_COMPLETED } from '#libs/events';
import type { GraphEntityType } from '#libs/graph-extraction';
import type { RequestContext } from '#libs/tenancy';
import { DatasetAccess, visibilityVariantsOf } from '../datasets/index.js';
import { KgGraphEntity, type ExtractionFailure } from './kg-graph.entity.js';

const GRAPH = allColumnsOf(KgGraphEntity);
export type GraphRow = RowOf<typeof GRAPH>;

const COLUMNS = Object.keys(GRAPH)
  .map((name) => `g.${name}`)
  .join(', ');
const FIND = statementFamily(
  GRAPH,
  (visible: string) =>
    `SELECT ${COLUMNS} FROM kg_graphs g JOIN datasets s ON s.id = g.dataset_id WHERE (g.id = $1 OR g.dataset_id = $1) AND ${visible}`,
  visibilityVariantsOf('s', 2).map((visible) => [visible] as const),
);
const TRIGGER = statement(
  GRAPH,
  `INSERT INTO kg_graphs AS g (id, tenant_id, dataset_id, entity_types, document_ids, requested_by)
   VALUES ($1, $2, $3, $4, $5, $6)
   ON CONFLICT (dataset_id) DO UPDATE SET status = 'pending', entity_types = excluded.entity_types, document_ids = excluded.document_ids,
     task_id = NULL, last_document_id = NULL, done = 0, total = NULL, error = NULL, requested_by = excluded.requested_by,
     triggered_at = now(), ended_at = NULL
   RETURNING ${COLUMNS}`,
);
const KEEP_TASK = statement({}, `UPDATE kg_graphs SET task_id = $2 WHERE id = $1`);
const BEGIN = statement(
  GRAPH,
  `UPDATE kg_graphs g SET status = 'running' WHERE id = $1 AND task_id = $2 AND status IN ('pending', 'running') RETURNING ${COLUMNS}`,
);
const ADVANCE = statement(
  columnsOf(KgGraphEntity, 'id'),
  `UPDATE kg_graphs SET last_document_id = $3, done = $4, total = $5
   WHERE id = $1 AND task_id = $2 AND status = 'running' AND (last_document_id IS NULL OR last_document_id < $3) RETURNING id`,
);
const COMPLETE = statement(
  GRAPH,
  `UPDATE kg_graphs g SET status = 'completed', total = done, ended_at = now()
   WHERE id = $1 AND task_id = $2 AND status = 'running' RETURNING ${COLUMNS}`,
);
const FAIL = statement(
  {},
  `UPDATE kg_graphs SET status = 'failed', error = $2, ended_at = now() WHERE id = $1 AND task_id IS NOT DISTINCT FROM $3::uuid AND status IN ('pending', 'running')`,
);

/** Graphs of datasets: each extraction is written together with the task that carries it out. */
@Injectable()
export class KgGraphsRepository extends TenantRepository {
  constructor(
    unitOfWork: UnitOfWork,
    private readonly access: DatasetAccess,
    private readonly events: DomainEvents,
  ) {
    super(unitOfWork);
  }

  /** By its own id or its dataset's; undefined for one of a dataset that the caller does not see. */
  async findVisible(ctx: RequestContext, id: string): Promise<GraphRow | undefined> {
    const visible = this.access.visibilityCondition(ctx, 's', 2);
    return this.queryOne(ctx, FIND.of(visible.sql), [id, ...visible.parameters]);
  }

  /** In the transaction that has locked the dataset and found no extraction under way. */
  async trigger(
    ctx: TransactionContext,
    datasetId: DatasetId,
    types: readonly GraphEntityType[],
    documentIds: readonly DocumentId[] | null,
  ): Promise<GraphRow> {
    const requestedBy = ctx.principal.kind === 'system' ? null : ctx.principal.accountId;
    return (await this.queryOne(ctx, TRIGGER, [newId(), ctx.tenantId, datasetId, types, documentIds, requestedBy]))!;
  }

  async keepTask(ctx: TransactionContext, id: string, taskId: string): Promise<void> {
    await this.query(ctx, KEEP_TASK, [id, taskId]);
  }

  /** Says that a worker is at it; undefined when it is not this task's any more. */
  async begin(ctx: RequestContext, id: string, taskId: string): Promise<GraphRow | undefined> {
    return this.queryOne(ctx, BEGIN, [id, taskId]);
  }

  /** Keeps how far it is; false when it does not run any more, or somebody else has come as far. */
  async advance(
    ctx: RequestContext,
    id: string,
    taskId: string,
    { last, done, total }: { readonly last: DocumentId; readonly done: number; readonly total: number },
  ): Promise<boolean> {
    return (await this.query(ctx, ADVANCE, [id, taskId, last, done, total])).length > 0;
  }

  /** Ends it and tells whoever wants to know. */
  async complete(ctx: RequestContext, id: string, taskId: string): Promise<void> {
    await this.unitOfWork.run(ctx, async (_manager, inner) => {
      const graph = await this.queryOne(inner, COMPLETE, [id, taskId]);
      if (graph === undefined) return;
      await this.events.publish(inner, KG_COMPLETED, [
        { kg_id: graph.id, dataset_id: graph.dataset_id, documents: graph.done },
      ]);
    });
  }

  /** Where it is still this task's. */
  async fail(ctx: RequestContext, id: string, error: ExtractionFailure, taskId: string | null): Promise<void> {
    await this.query(ctx, FAIL, [id, JSON.stringify(error), taskId]);
  }
}
