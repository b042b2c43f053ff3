import { Injectable } from '@nestjs/common';
import type { DatasetId } from '#libs/common';
import { columnsOf, result, statement, TenantRepository, UnitOfWork } from '#libs/database';
import type { RequestContext } from '#libs/tenancy';
import { DocumentEntity, type DocumentStatusName, type IngestionStage } from '../record/document.entity.js';
import { SEARCHABLE } from '../record/document-list.repository.js';

export interface DocumentTotals {
  readonly status: DocumentStatusName;
  /** Stage of documents that are being processed; null for other statuses. */
  readonly stage: IngestionStage | null;
  readonly documents: number;
  /** Number of these documents that a search can find. */
  readonly searchable: number;
  readonly chunks: string;
  readonly tokens: string;
  readonly bytes: string;
}

export interface DurationRow {
  readonly stage: IngestionStage | 'total';
  readonly count: number;
  /** p50, p95 and p99 in milliseconds. */
  readonly percentiles: readonly [number, number, number];
}

/** Maximum number of events that are measured, the newest first. */
const MOST_EVENTS = 100_000;

const TOTALS = statement(
  {
    ...columnsOf(DocumentEntity, 'status'),
    stage: result.orNull(result.text<IngestionStage>()),
    documents: result.integer,
    searchable: result.integer,
    chunks: result.text(),
    tokens: result.text(),
    bytes: result.text(),
  },
  `SELECT status, CASE WHEN status = 'processing' THEN current_stage END AS stage, count(*)::int AS documents,
     count(*) FILTER (WHERE ${SEARCHABLE})::int AS searchable,
     sum(chunk_count)::text AS chunks, sum(token_count)::text AS tokens, sum(size_bytes)::text AS bytes
   FROM documents d WHERE dataset_id = $1 AND deleted_at IS NULL GROUP BY 1, 2`,
);
const FAILURES = statement(
  { code: result.text(), count: result.integer },
  `SELECT error ->> 'code' AS code, count(*)::int AS count FROM documents
   WHERE dataset_id = $1 AND deleted_at IS NULL AND status = 'failed' AND error ->> 'code' IS NOT NULL
   GROUP BY error ->> 'code' ORDER BY count(*) DESC, (error ->> 'code') COLLATE "C"`,
);
const COUNT_COMPLETED = statement(
  { n: result.integer },
  `SELECT count(*)::int AS n FROM document_events e JOIN documents d ON d.id = e.document_id
   WHERE d.dataset_id = $1 AND d.deleted_at IS NULL AND e.event = 'completed'
     AND e.created_at > now() - make_interval(hours => $2)`,
);
const DURATIONS = statement(
  {
    stage: result.text<IngestionStage | 'total'>(),
    count: result.integer,
    percentiles: result.floats<readonly [number, number, number]>(),
  },
  `SELECT stage, count(*)::int AS count, percentile_disc(ARRAY[0.5, 0.95, 0.99]) WITHIN GROUP (ORDER BY ms) AS percentiles
   FROM (
     SELECT CASE WHEN e.event = 'completed' THEN 'total' ELSE e.stage END AS stage, (e.details ->> 'ms')::float8 AS ms
     FROM document_events e JOIN documents d ON d.id = e.document_id
     WHERE d.dataset_id = $1 AND d.deleted_at IS NULL AND e.event IN ('stage_completed', 'completed')
       AND jsonb_typeof(e.details -> 'ms') = 'number' AND NOT e.details ? 'resumed'
       AND e.created_at > now() - make_interval(days => $2)
     ORDER BY e.created_at DESC LIMIT ${MOST_EVENTS}) AS measured
   GROUP BY stage`,
);

/** Reads counts and durations from the documents of a dataset and their timelines; deleted documents are left out. */
@Injectable()
export class IngestionStatisticsRepository extends TenantRepository {
  constructor(unitOfWork: UnitOfWork) {
    super(unitOfWork);
  }

  async totals(ctx: RequestContext, datasetId: DatasetId): Promise<DocumentTotals[]> {
    return this.query(ctx, TOTALS, [datasetId]);
  }

  async failures(ctx: RequestContext, datasetId: DatasetId): Promise<{ code: string; count: number }[]> {
    return this.query(ctx, FAILURES, [datasetId]);
  }

  async countCompleted(ctx: RequestContext, datasetId: DatasetId, hours: number): Promise<number> {
    const row = await this.queryOne(ctx, COUNT_COMPLETED, [datasetId, hours]);
    return row?.n ?? 0;
  }

  async durations(ctx: RequestContext, datasetId: DatasetId, days: number): Promise<DurationRow[]> {
    return this.query(ctx, DURATIONS, [datasetId, days]);
  }
}
