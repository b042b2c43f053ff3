import { Injectable } from '@nestjs/common';
import type { JsonObject, Page } from '#libs/common';
import {
  columnsOf,
  result,
  statement,
  statementFamily,
  TenantRepository,
  UnitOfWork,
  type RowOf,
  type TransactionContext,
  NATURAL_ORDER,
} from '#libs/database';
import type { RequestContext } from '#libs/tenancy';
import { DatasetAccess } from '../../datasets/index.js';
import { allVisible, allVisibleVariants } from '../cases/all-visible.repository.js';
import { CaseTextsRepository, mergeCases, storedCases } from './case-texts.repository.js';
import type { EvaluationCase } from '../cases/evaluation-case.js';
import { JOB_ORDERS, type JobOrder } from './job.dto.js';
import type { JobSummary, Verdict } from '../scoring/job-summary.js';
import { EvaluationJobEntity, JOB_STATUSES, type ContentMarks, type JobStatus } from './evaluation-job.entity.js';

const HEAD_NAMES = [
  'id',
  'name',
  'status',
  'dataset_ids',
  'shown_with_dataset_ids',
  'case_set_id',
  'case_set_version',
  'baseline_job_id',
  'spec',
  'case_count',
  'outdated_cases',
  'steps',
  'steps_done',
  'task_id',
  'contents',
  'summary',
  'verdict',
  'error_code',
  'error',
  'created_by',
  'created_at',
  'started_at',
  'ended_at',
] as const;
const HEAD = columnsOf(EvaluationJobEntity, ...HEAD_NAMES);
const HEAD_COLUMNS = HEAD_NAMES.map((name) => `j.${name}`).join(', ');

/** A job without its cases. */
export type JobRow = RowOf<typeof HEAD>;

export interface JobFilter {
  readonly datasetId?: string;
  readonly status?: JobStatus;
  readonly orderBy: JobOrder;
  readonly skip: number;
  readonly limit: number;
}

const ORDERS: Readonly<Record<JobOrder, string>> = {
  created_at: 'j.created_at ASC, j.id ASC',
  '-created_at': 'j.created_at DESC, j.id DESC',
  name: `j.name ${NATURAL_ORDER} ASC, j.id ASC`,
  '-name': `j.name ${NATURAL_ORDER} DESC, j.id DESC`,
};
const FILTER = `($1::uuid IS NULL OR j.dataset_ids @> ARRAY[$1::uuid]) AND ($2::text IS NULL OR j.status = $2)`;
const VISIBLE = allVisibleVariants('j.shown_with_dataset_ids', 3);
const COUNT = statementFamily(
  { n: result.integer },
  (visible: string) => `SELECT count(*)::int AS n FROM evaluation_jobs j WHERE ${FILTER} AND ${visible}`,
  VISIBLE.map((visible) => [visible] as const),
);
const LIST = statementFamily(
  HEAD,
  (visible: string, order: JobOrder, limit: number, skip: number) =>
    `SELECT ${HEAD_COLUMNS} FROM evaluation_jobs j WHERE ${FILTER} AND ${visible} ORDER BY ${ORDERS[order]} LIMIT ${limit} OFFSET ${skip}`,
  VISIBLE.flatMap((visible) => JOB_ORDERS.map((order) => [visible, order, 20, 0] as const)),
);
const FIND = statementFamily(
  HEAD,
  (visible: string) => `SELECT ${HEAD_COLUMNS} FROM evaluation_jobs j WHERE j.id = $1 AND ${visible}`,
  allVisibleVariants('j.shown_with_dataset_ids', 2).map((visible) => [visible] as const),
);
const CASES = statement(columnsOf(EvaluationJobEntity, 'cases'), `SELECT cases FROM evaluation_jobs WHERE id = $1`);
const BEGIN = statement(
  { ...HEAD, is_first: result.boolean },
  `UPDATE evaluation_jobs j SET status = 'running', started_at = coalesce(j.started_at, now()), contents = coalesce(j.contents, $2)
   FROM (SELECT id, started_at IS NULL AS is_first FROM evaluation_jobs WHERE id = $1 FOR UPDATE) former
   WHERE j.id = former.id AND j.status IN ('pending', 'running') RETURNING ${HEAD_COLUMNS}, former.is_first`,
);
const END = statement(
  columnsOf(EvaluationJobEntity, 'id'),
  `UPDATE evaluation_jobs SET status = $2, summary = $3, verdict = $4, error_code = $5, error = $6, ended_at = now()
   WHERE id = $1 AND status IN ('pending', 'running') RETURNING id`,
);
const ADD_EVENT = statement(
  {},
  `INSERT INTO evaluation_events (tenant_id, job_id, id, type, data)
   SELECT $1, $2, (SELECT coalesce(max(id), 0) + 1 FROM evaluation_events WHERE job_id = $2), $3, $4`,
);
const REMOVE_OF_DATASET = statement(
  columnsOf(EvaluationJobEntity, 'id'),
  `DELETE FROM evaluation_jobs WHERE shown_with_dataset_ids @> ARRAY[$1::uuid] RETURNING id`,
);
const SET_TASK = statement({}, `UPDATE evaluation_jobs SET task_id = $2 WHERE id = $1`);

/** How a job ended. */
export interface JobEnd {
  readonly status: (typeof JOB_STATUSES)[number];
  readonly summary?: JobSummary;
  readonly verdict?: Verdict | null;
  readonly errorCode?: string;
  readonly error?: string;
}

/** Evaluations, shown only to callers that see all their datasets. */
@Injectable()
export class EvaluationJobsRepository extends TenantRepository {
  constructor(
    unitOfWork: UnitOfWork,
    private readonly access: DatasetAccess,
    private readonly texts: CaseTextsRepository,
  ) {
    super(unitOfWork);
  }

  /** Resolves to the positions of cases whose document is no longer visible in these datasets. */
  async insert(
    ctx: TransactionContext,
    job: Omit<
      EvaluationJobEntity,
      | 'tenant_id'
      | 'cases'
      | 'status'
      | 'steps_done'
      | 'task_id'
      | 'contents'
      | 'summary'
      | 'verdict'
      | 'error_code'
      | 'error'
      | 'created_at'
      | 'started_at'
      | 'ended_at'
    > & { readonly cases: readonly EvaluationCase[] },
  ): Promise<readonly number[]> {
    const cases = storedCases(job.cases);
    await this.repository(ctx, EvaluationJobEntity).insert({
      ...job,
      cases,
      tenant_id: ctx.tenantId,
      status: 'pending',
    });
    const placed = job.cases.map((one, place) => ({ place, one }));
    return this.texts.keep(ctx, { jobId: job.id }, placed, job.shown_with_dataset_ids);
  }

  /** Sets the task of the job, in the transaction that creates the task. */
  async setTask(ctx: TransactionContext, id: string, taskId: string): Promise<void> {
    await this.query(ctx, SET_TASK, [id, taskId]);
  }

  async list(ctx: RequestContext, filter: JobFilter): Promise<Page<JobRow>> {
    const { datasetId = null, status = null, orderBy, skip, limit } = filter;
    const visible = this.access.visibilityCondition(ctx, 'd', 3);
    const condition = allVisible('j.shown_with_dataset_ids', visible.sql);
    const parameters = [datasetId, status, ...visible.parameters];
    return this.unitOfWork.run(ctx, async (_manager, inner) => {
      const total = await this.queryOne(inner, COUNT.of(condition), parameters);
      const items = await this.query(inner, LIST.of(condition, orderBy, limit, skip), parameters);
      return { items, total: total?.n ?? 0, skip, limit };
    });
  }

  /** Undefined when it is absent or not visible. */
  async find(ctx: RequestContext, id: string): Promise<JobRow | undefined> {
    const visible = this.access.visibilityCondition(ctx, 'd', 2);
    const found = FIND.of(allVisible('j.shown_with_dataset_ids', visible.sql));
    return this.queryOne(ctx, found, [id, ...visible.parameters]);
  }

  /** The cases of a visible job in order; a case that was removed with its document is only marked as removed. */
  async casesOf(ctx: RequestContext, id: string): Promise<readonly EvaluationCase[]> {
    const stored = (await this.queryOne(ctx, CASES, [id]))?.cases ?? [];
    if (!stored.includes(null)) return stored as readonly EvaluationCase[];
    const kept = mergeCases(stored, await this.texts.list(ctx, { jobId: id }));
    const byPlace = new Map(kept.map(({ place, one }) => [place, one]));
    return stored.map((_, place) => byPlace.get(place) ?? goneCase(place));
  }

  /** Marks the job as running, and stores the state of the contents once; undefined when it has ended. */
  async begin(ctx: RequestContext, id: string, contents: ContentMarks): Promise<JobRow | undefined> {
    return this.unitOfWork.run(ctx, async (_manager, inner) => {
      const row = await this.queryOne(inner, BEGIN, [id, JSON.stringify(contents)]);
      if (row?.is_first === true) await this.addEvent(inner, id, 'evaluation.started', { steps: row.steps });
      return row;
    });
  }

  /** Ends a job that is open, with an event; false when it had ended. */
  async end(ctx: TransactionContext, id: string, end: JobEnd): Promise<boolean> {
    const { status, summary = null, verdict = null, errorCode = null, error = null } = end;
    const kept = summary === null ? null : JSON.stringify(summary);
    const ended = await this.query(ctx, END, [id, status, kept, verdict, errorCode, error]);
    if (ended.length === 0) return false;
    await this.addEvent(ctx, id, `evaluation.${status}`, { verdict, error_code: errorCode });
    return true;
  }

  /** The transaction must hold the row of the job. */
  async addEvent(ctx: TransactionContext, id: string, type: string, data: JsonObject): Promise<void> {
    await this.query(ctx, ADD_EVENT, [ctx.tenantId, id, type, JSON.stringify(data)]);
  }

  /** Removes the jobs of a deleted dataset. */
  async removeOfDataset(ctx: RequestContext, datasetId: string): Promise<number> {
    return (await this.query(ctx, REMOVE_OF_DATASET, [datasetId])).length;
  }
}

/** Placeholder for a case whose document was deleted or put into quarantine. */
function goneCase(place: number): EvaluationCase {
  return {
    query: `(case ${place}: removed with its document)`,
    relevant: [],
    expected_answer: null,
    answerable: true,
    tags: [],
    generated: true,
    approved: true,
  };
}
