import { Injectable } from '@nestjs/common';
import { isUuid, newId } from '#libs/common';
import { AuditLog, UnitOfWork, type TransactionContext } from '#libs/database';
import { Tasks } from '#libs/tasks';
import type { RequestContext } from '#libs/tenancy';
import { DatasetAccess } from '../../datasets/index.js';
import { accountOf } from '../cases/account-of.js';
import type { CreateEvaluationRequest } from '../records/create-job.dto.js';
import type { EvaluationEventDto, EvaluationJob, EvaluationJobPage, ListJobsQuery } from '../records/job.dto.js';
import type { CaseResultPage, ListResultsQuery } from '../records/case-result.dto.js';
import { evaluationErrors } from '../evaluations.errors.js';
import { EvaluationJobsRepository, type JobRow } from '../records/evaluation-jobs.repository.js';
import { EvaluationResultsRepository } from './evaluation-results.repository.js';
import { EVALUATION } from './evaluation.task.js';
import { JobIntake, problem } from './job-intake.service.js';
import { requirePermissions } from './job-permissions.js';
import { toJob, toJobHead, toResult } from './job-views.js';

/** Evaluations: started here, run by a worker. */
@Injectable()
export class EvaluationJobsService {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly jobs: EvaluationJobsRepository,
    private readonly results: EvaluationResultsRepository,
    private readonly intake: JobIntake,
    private readonly access: DatasetAccess,
    private readonly tasks: Tasks,
    private readonly audit: AuditLog,
  ) {}

  /** @throws `datasets.not_found`, `auth.permission_missing`, `evaluations.case_set_not_found`, `evaluations.job_not_found`, 422 */
  async create(ctx: RequestContext, request: CreateEvaluationRequest): Promise<EvaluationJob> {
    return this.unitOfWork.run(ctx, async (_manager, inner) => {
      const datasets = (await this.access.requireAllVisible(inner, request.dataset_ids)).map(({ id }) => id);
      requirePermissions(inner, request.variants ?? []);
      const spec = await this.intake.specOf(inner, request);
      const { cases, outdated, set } = await this.intake.casesOf(inner, request);
      const baseline = await this.baselineOf(inner, request.baseline_job_id);
      const shownWith = [...datasets, ...(set?.dataset_ids ?? []), ...(baseline?.shown_with_dataset_ids ?? [])];
      const id = newId();
      const [closed] = await this.jobs.insert(inner, {
        id,
        name: request.name,
        dataset_ids: datasets,
        shown_with_dataset_ids: [...new Set(shownWith)],
        case_set_id: set?.id ?? null,
        case_set_version: set?.version ?? null,
        baseline_job_id: baseline?.id ?? null,
        spec,
        cases,
        case_count: cases.length,
        outdated_cases: outdated,
        steps: cases.length * spec.variants.length,
        created_by: accountOf(inner),
      });
      if (closed !== undefined && set === null)
        throw problem(
          `/cases/${closed}/source_document_id`,
          'not_found',
          'is not a document of these datasets, or is deleted or in quarantine: leave the case out',
        );
      await this.jobs.setTask(inner, id, await this.tasks.promise(inner, EVALUATION, { jobId: id }, { subject: id }));
      await this.audit.append(inner, {
        event: 'evaluation.started',
        subject: `evaluation:${id}`,
        details: { dataset_ids: datasets, cases: cases.length, variants: spec.variants.length },
      });
      return toJob(await this.require(inner, id));
    });
  }

  async list(ctx: RequestContext, query: ListJobsQuery): Promise<EvaluationJobPage> {
    const { dataset_id: datasetId, status, order_by: orderBy, skip, limit } = query;
    const filter = {
      orderBy,
      skip,
      limit,
      ...(datasetId === undefined ? {} : { datasetId }),
      ...(status === undefined ? {} : { status }),
    };
    const page = await this.jobs.list(ctx, filter);
    return { ...page, items: page.items.map(toJobHead) };
  }

  /** @throws `evaluations.job_not_found` */
  async read(ctx: RequestContext, id: string): Promise<EvaluationJob> {
    return toJob(await this.requireSettled(ctx, id));
  }

  /** @throws `evaluations.job_not_found` */
  async listResults(ctx: RequestContext, id: string, query: ListResultsQuery): Promise<CaseResultPage> {
    const job = await this.require(ctx, id);
    const { variant = null, misses: onlyMisses, code = null, skip, limit } = query;
    if (variant !== null && variant >= job.spec.variants.length)
      throw problem('/variant', 'max', `the evaluation has ${job.spec.variants.length} variants, counted from 0`);
    const page = await this.results.list(ctx, job.id, { variant, onlyMisses, code, skip, limit });
    const cases = await this.jobs.casesOf(ctx, job.id);
    return { ...page, items: page.items.map((row) => toResult(row, job, cases)) };
  }

  /** Events after `after`, and whether there will be more. @throws `evaluations.job_not_found` */
  async listEvents(
    ctx: RequestContext,
    id: string,
    after: number,
  ): Promise<{ readonly items: EvaluationEventDto[]; readonly isOver: boolean }> {
    const { status, id: jobId } = await this.requireSettled(ctx, id);
    const rows = await this.results.listEvents(ctx, jobId, after);
    const items = rows.map(({ created_at: at, ...event }) => ({ ...event, at: at.toISOString() }));
    return { items, isOver: status !== 'pending' && status !== 'running' };
  }

  /** @throws `evaluations.job_not_found`, `evaluations.not_cancellable` */
  async cancel(ctx: RequestContext, id: string): Promise<EvaluationJob> {
    return this.unitOfWork.run(ctx, async (_manager, inner) => {
      const job = await this.require(inner, id);
      const isCancelled = await this.jobs.end(inner, job.id, { status: 'cancelled' });
      if (!isCancelled && job.status !== 'cancelled') throw evaluationErrors.not_cancellable({ status: job.status });
      if (isCancelled && job.task_id !== null) await this.tasks.cancel(inner, job.task_id);
      return toJob(await this.require(inner, job.id));
    });
  }

  /** A job after a check of its task: it has failed when its task has. */
  async requireSettled(ctx: RequestContext, id: string): Promise<JobRow> {
    const job = await this.require(ctx, id);
    if ((job.status !== 'pending' && job.status !== 'running') || job.task_id === null) return job;
    const task = await this.tasks.find(ctx, job.task_id);
    if (task?.status !== 'failed' && task?.status !== 'cancelled') return job;
    const errorCode = task.error?.code ?? 'evaluations.given_up';
    const error = task.error?.message ?? 'The work was given up after its last try.';
    await this.unitOfWork.run(ctx, (_manager, inner) =>
      this.jobs.end(inner, job.id, { status: 'failed', errorCode, error }),
    );
    return this.require(ctx, id);
  }

  private async baselineOf(ctx: TransactionContext, id: string | undefined): Promise<JobRow | null> {
    if (id === undefined) return null;
    const baseline = await this.require(ctx, id);
    if (baseline.status !== 'completed')
      throw problem('/baseline_job_id', 'completed', `the baseline must be completed; it is ${baseline.status}`);
    return baseline;
  }

  private async require(ctx: RequestContext, id: string): Promise<JobRow> {
    const job = isUuid(id) ? await this.jobs.find(ctx, id) : undefined;
    if (job === undefined) throw evaluationErrors.job_not_found({});
    return job;
  }
}
