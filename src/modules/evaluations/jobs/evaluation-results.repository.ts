import { Injectable } from '@nestjs/common';
import type { Page } from '#libs/common';
import { allColumnsOf, columnsOf, result, statement, TenantRepository, UnitOfWork } from '#libs/database';
import type { RequestContext } from '#libs/tenancy';
import { DocumentEntity } from '../../documents/index.js';
import type { ChangedDocument } from '../scoring/job-summary.js';
import {
  EvaluationEventEntity,
  EvaluationJobEntity,
  EvaluationResultEntity,
} from '../records/evaluation-job.entity.js';
import { EvaluationJobsRepository } from '../records/evaluation-jobs.repository.js';

export type ResultRow = EvaluationResultEntity;
/** A result without the found items. */
export type ScoreRow = Omit<ResultRow, 'tenant_id' | 'job_id' | 'ranked'>;
export type EventRow = Pick<EvaluationEventEntity, 'id' | 'type' | 'data' | 'created_at'>;

export interface ResultFilter {
  readonly variant: number | null;
  readonly onlyMisses: boolean;
  readonly code: string | null;
  readonly skip: number;
  readonly limit: number;
}

/** Events of progress of one job. */
const PROGRESS_EVENTS = 50;
const MOST_CHANGED = 100;
const EVENTS_PAGE = 500;

const ADD = statement(
  columnsOf(EvaluationJobEntity, 'steps', 'steps_done'),
  `WITH open AS (SELECT id FROM evaluation_jobs WHERE id = $2 AND status = 'running' FOR UPDATE),
   added AS (
     INSERT INTO evaluation_results (tenant_id, job_id, variant, ordinal, metrics, ranked, latency_ms, fingerprint, miss, error_code, answer)
     SELECT $1, open.id, $3, $4, $5, $6, $7, $8, $9, $10, $11 FROM open ON CONFLICT DO NOTHING RETURNING job_id)
   UPDATE evaluation_jobs j SET steps_done = j.steps_done + (SELECT count(*)::int FROM added) FROM open WHERE j.id = open.id
   RETURNING j.steps, j.steps_done`,
);
const DONE = statement(
  columnsOf(EvaluationResultEntity, 'variant', 'ordinal'),
  `SELECT variant, ordinal FROM evaluation_results WHERE job_id = $1`,
);
const SCORE_NAMES = [
  'variant',
  'ordinal',
  'metrics',
  'latency_ms',
  'fingerprint',
  'miss',
  'error_code',
  'answer',
] as const;
const SCORES = statement(
  columnsOf(EvaluationResultEntity, ...SCORE_NAMES),
  `SELECT ${SCORE_NAMES.join(', ')} FROM evaluation_results WHERE job_id = $1 ORDER BY ordinal, variant`,
);
const FILTER = `r.job_id = $1 AND ($2::int IS NULL OR r.variant = $2) AND (NOT $3::boolean OR r.miss IS NOT NULL)
  AND ($4::text IS NULL OR r.miss ->> 'code' = $4)`;
const COUNT = statement({ n: result.integer }, `SELECT count(*)::int AS n FROM evaluation_results r WHERE ${FILTER}`);
const LIST = statement(
  allColumnsOf(EvaluationResultEntity),
  `SELECT r.* FROM evaluation_results r WHERE ${FILTER} ORDER BY r.ordinal, r.variant LIMIT $5 OFFSET $6`,
);
const EVENTS = statement(
  columnsOf(EvaluationEventEntity, 'id', 'type', 'data', 'created_at'),
  `SELECT id, type, data, created_at FROM evaluation_events WHERE job_id = $1 AND id > $2 ORDER BY id LIMIT $3`,
);
const CHANGED = statement(
  { ...columnsOf(DocumentEntity, 'name'), document_id: result.uuid(), deleted: result.boolean },
  `SELECT d.id AS document_id, d.name, d.deleted_at IS NOT NULL AS deleted FROM documents d
   WHERE d.dataset_id = $1 AND d.visibility_seq > $2 ORDER BY d.visibility_seq, d.id LIMIT $3`,
);

/** Results of the cases of a job, and events of the job. Callers have checked that the job is visible. */
@Injectable()
export class EvaluationResultsRepository extends TenantRepository {
  constructor(
    unitOfWork: UnitOfWork,
    private readonly jobs: EvaluationJobsRepository,
  ) {
    super(unitOfWork);
  }

  /** Stores a result unless there is one; false when the job no longer runs. */
  async add(ctx: RequestContext, row: Omit<ResultRow, 'tenant_id'>): Promise<boolean> {
    return this.unitOfWork.run(ctx, async (_manager, inner) => {
      const job = await this.queryOne(inner, ADD, [
        ctx.tenantId,
        row.job_id,
        row.variant,
        row.ordinal,
        JSON.stringify(row.metrics),
        JSON.stringify(row.ranked),
        row.latency_ms,
        row.fingerprint,
        row.miss === null ? null : JSON.stringify(row.miss),
        row.error_code,
        row.answer === null ? null : JSON.stringify(row.answer),
      ]);
      if (job === undefined) return false;
      const { steps, steps_done: done } = job;
      if (isMilestone(done, steps))
        await this.jobs.addEvent(inner, row.job_id, 'evaluation.progress', { steps_done: done, steps });
      return true;
    });
  }

  /** Keys `variant:ordinal` of the stored results. */
  async listDone(ctx: RequestContext, jobId: string): Promise<ReadonlySet<string>> {
    const rows = await this.query(ctx, DONE, [jobId]);
    return new Set(rows.map(({ variant, ordinal }) => `${variant}:${ordinal}`));
  }

  /** All of a job by case and variant. */
  async listScores(ctx: RequestContext, jobId: string): Promise<ScoreRow[]> {
    return this.query(ctx, SCORES, [jobId]);
  }

  async list(ctx: RequestContext, jobId: string, filter: ResultFilter): Promise<Page<ResultRow>> {
    const { variant, onlyMisses, code, skip, limit } = filter;
    const parameters = [jobId, variant, onlyMisses, code];
    return this.unitOfWork.run(ctx, async (_manager, inner) => {
      const total = await this.queryOne(inner, COUNT, parameters);
      const items = await this.query(inner, LIST, [...parameters, limit, skip]);
      return { items, total: total?.n ?? 0, skip, limit };
    });
  }

  /** Events after this one, at most 500. */
  async listEvents(ctx: RequestContext, jobId: string, after: number): Promise<EventRow[]> {
    return this.query(ctx, EVENTS, [jobId, after, EVENTS_PAGE]);
  }

  /** Documents of a dataset that changed since, at most 100. */
  async listChanged(ctx: RequestContext, datasetId: string, since: string): Promise<ChangedDocument[]> {
    return this.query(ctx, CHANGED, [datasetId, since, MOST_CHANGED]);
  }
}

function isMilestone(done: number, steps: number): boolean {
  return Math.floor((done * PROGRESS_EVENTS) / steps) > Math.floor(((done - 1) * PROGRESS_EVENTS) / steps);
}
