import type { GraphEntityType } from '../../ingestion-policy/index.js';
import { Injectable } from '@nestjs/common';
import type { ModelUsage } from '#libs/ai';
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
import { DomainEvents } from '#libs/events';
import { KG_COMPLETED, type KgCompleted } from '../kg.events.js';
import type { RequestContext } from '#libs/tenancy';
import { DatasetAccess, visibilityVariantsOf } from '../../datasets/index.js';
import {
  KgGraphEntity,
  type ExtractionFailure,
  type ExtractionMode,
  type RemainingWork,
  type SkippedCounts,
} from './kg-graph.entity.js';

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
  `INSERT INTO kg_graphs AS g (id, tenant_id, dataset_id, entity_types, document_ids, requested_by, mode, model, budget_tokens)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
   ON CONFLICT (dataset_id) DO UPDATE SET status = 'pending', entity_types = excluded.entity_types, document_ids = excluded.document_ids,
     task_id = NULL, last_document_id = NULL, done = 0, total = NULL, error = NULL, requested_by = excluded.requested_by,
     triggered_at = now(), ended_at = NULL, mode = excluded.mode, model = excluded.model, budget_tokens = excluded.budget_tokens,
     reserved_tokens = 0, calls = 0, input_tokens = 0, output_tokens = 0, cost = 0, cached_chunks = 0, skipped = '{}', remaining = NULL,
     waiting_since = NULL
   RETURNING ${COLUMNS}`,
);
const KEEP_TASK = statement({}, `UPDATE kg_graphs SET task_id = $2 WHERE id = $1`);
const BEGIN = statement(
  GRAPH,
  `UPDATE kg_graphs g SET status = 'running' WHERE id = $1 AND task_id = $2 AND status IN ('pending', 'running') RETURNING ${COLUMNS}`,
);
const ADVANCE = statement(
  columnsOf(KgGraphEntity, 'id'),
  `UPDATE kg_graphs SET last_document_id = $3, done = $4, total = $5, waiting_since = NULL, cached_chunks = cached_chunks + $6,
     skipped = (SELECT coalesce(jsonb_object_agg(e.key, e.n), '{}') FROM (
       SELECT b.key, sum(b.value::bigint) AS n
       FROM (SELECT key, value FROM jsonb_each_text(skipped) UNION ALL SELECT key, value FROM jsonb_each_text($7::jsonb)) b
       GROUP BY b.key) e)
   WHERE id = $1 AND task_id = $2 AND status = 'running' AND (last_document_id IS NULL OR last_document_id < $3) RETURNING id`,
);
const END = statement(
  GRAPH,
  `UPDATE kg_graphs g SET status = CASE WHEN $3::jsonb IS NULL THEN 'completed' ELSE 'incomplete' END, error = $3::jsonb, remaining = $4::jsonb,
     total = CASE WHEN $3::jsonb IS NULL THEN done ELSE total END, waiting_since = NULL, ended_at = now()
   WHERE id = $1 AND task_id = $2 AND status = 'running' RETURNING ${COLUMNS}`,
);
const WAIT = statement(
  columnsOf(KgGraphEntity, 'waiting_since'),
  `UPDATE kg_graphs SET waiting_since = coalesce(waiting_since, now()) WHERE id = $1 AND task_id = $2 RETURNING waiting_since`,
);
/** Usage and reservations together stay within the budget, also with several processes. */
const RESERVE = statement(
  columnsOf(KgGraphEntity, 'id'),
  `UPDATE kg_graphs SET reserved_tokens = reserved_tokens + $3::bigint
   WHERE id = $1 AND task_id = $2 AND status = 'running'
     AND (budget_tokens IS NULL OR input_tokens + output_tokens + reserved_tokens + $3::bigint <= budget_tokens) RETURNING id`,
);
const SETTLE = statement(
  {},
  `UPDATE kg_graphs SET reserved_tokens = greatest(0, reserved_tokens - $3::bigint), calls = calls + $4,
     input_tokens = input_tokens + $5::bigint, output_tokens = output_tokens + $6::bigint, cost = cost + $7, waiting_since = CASE WHEN $4 > 0 THEN NULL ELSE waiting_since END
   WHERE id = $1 AND task_id = $2`,
);
const FAIL = statement(
  {},
  `UPDATE kg_graphs SET status = 'failed', error = $2, ended_at = now() WHERE id = $1 AND task_id IS NOT DISTINCT FROM $3::uuid AND status IN ('pending', 'running')`,
);

/** Request for an extraction. */
export interface WantedExtraction {
  readonly types: readonly GraphEntityType[];
  readonly documentIds: readonly DocumentId[] | null;
  readonly mode: ExtractionMode;
  readonly model: string | null;
  readonly budgetTokens: number | null;
}

/** Progress of an extraction; `cached` and `skipped` count since the previous report. */
export interface ExtractionProgress {
  readonly last: DocumentId;
  readonly done: number;
  readonly total: number;
  readonly cached: number;
  readonly skipped: SkippedCounts;
}

/** A call of a model that has ended. */
export interface SettledCall {
  readonly reserved: number;
  readonly usage: ModelUsage | null;
  readonly cost: number;
}

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

  /** Finds a graph by its id or that of its dataset; undefined when the caller does not see the dataset. */
  async findVisible(ctx: RequestContext, id: string): Promise<GraphRow | undefined> {
    const visible = this.access.visibilityCondition(ctx, 's', 2);
    return this.queryOne(ctx, FIND.of(visible.sql), [id, ...visible.parameters]);
  }

  /** To be called in the transaction that has locked the dataset and found no extraction under way. */
  async trigger(ctx: TransactionContext, datasetId: DatasetId, wanted: WantedExtraction): Promise<GraphRow> {
    const requestedBy = ctx.principal.kind === 'system' ? null : ctx.principal.accountId;
    const { types, documentIds, mode, model, budgetTokens } = wanted;
    const values = [types, documentIds, requestedBy, mode, model, budgetTokens];
    return (await this.queryOne(ctx, TRIGGER, [newId(), ctx.tenantId, datasetId, ...values]))!;
  }

  async keepTask(ctx: TransactionContext, id: string, taskId: string): Promise<void> {
    await this.query(ctx, KEEP_TASK, [id, taskId]);
  }

  /** Marks the extraction as running; undefined when it no longer belongs to this task. */
  async begin(ctx: RequestContext, id: string, taskId: string): Promise<GraphRow | undefined> {
    return this.queryOne(ctx, BEGIN, [id, taskId]);
  }

  /** Stores the progress; false when the extraction no longer runs, or another worker has come as far. */
  async advance(ctx: RequestContext, id: string, taskId: string, progress: ExtractionProgress): Promise<boolean> {
    const { last, done, total, cached, skipped } = progress;
    const values = [id, taskId, last, done, total, cached, JSON.stringify(skipped)];
    return (await this.query(ctx, ADVANCE, values)).length > 0;
  }

  /** Ends the extraction and publishes the event; with a failure it ends as incomplete. */
  async end(
    ctx: RequestContext,
    id: string,
    taskId: string,
    early: { readonly failure: ExtractionFailure; readonly remaining: RemainingWork } | null = null,
  ): Promise<void> {
    await this.unitOfWork.run(ctx, async (_manager, inner) => {
      const why = early === null ? [null, null] : [JSON.stringify(early.failure), JSON.stringify(early.remaining)];
      const graph = await this.queryOne(inner, END, [id, taskId, ...why]);
      if (graph === undefined) return;
      await this.events.publish(inner, KG_COMPLETED, [endOf(graph)]);
    });
  }

  /** Time since which the provider asks for a pause, this time included; undefined when the extraction no longer belongs to this task. */
  async wait(ctx: RequestContext, id: string, taskId: string): Promise<Date | undefined> {
    return (await this.queryOne(ctx, WAIT, [id, taskId]))?.waiting_since ?? undefined;
  }

  /** Reserves tokens of the run's budget; false when there is no room. */
  async reserve(ctx: RequestContext, id: string, taskId: string, tokens: number): Promise<boolean> {
    return (await this.query(ctx, RESERVE, [id, taskId, tokens])).length > 0;
  }

  /** Counts what a call took in place of what was set aside. */
  async settle(ctx: RequestContext, id: string, taskId: string, { reserved, usage, cost }: SettledCall): Promise<void> {
    const { requests = 0, inputTokens = 0, outputTokens = 0 } = usage ?? {};
    await this.query(ctx, SETTLE, [id, taskId, reserved, requests, inputTokens, outputTokens, cost]);
  }

  /** Only while the extraction still belongs to this task. */
  async fail(ctx: RequestContext, id: string, error: ExtractionFailure, taskId: string | null): Promise<void> {
    await this.query(ctx, FAIL, [id, JSON.stringify(error), taskId]);
  }
}

function endOf(graph: GraphRow): KgCompleted {
  const skipped = Object.entries(graph.skipped);
  const chunks = skipped.filter(([name]) => name.startsWith('chunk.'));
  return {
    kg_id: graph.id,
    dataset_id: graph.dataset_id,
    documents: graph.done,
    status: graph.status,
    reason: graph.error?.code ?? null,
    mode: graph.mode,
    calls: graph.calls,
    input_tokens: Number(graph.input_tokens),
    output_tokens: Number(graph.output_tokens),
    cost: graph.cost,
    skipped_chunks: chunks.reduce((sum, [, count]) => sum + count, 0),
    skipped: skipped.map(([name]) => name).sort(),
  };
}
