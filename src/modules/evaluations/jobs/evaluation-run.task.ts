import type { JsonObject } from '#libs/common';
import { UnitOfWork } from '#libs/database';
import { DomainEvents } from '#libs/events';
import { EVALUATION_COMPLETED } from '../evaluations.events.js';
import { TaskFailed, TaskHandler, type RunningTask } from '#libs/tasks';
import { DatasetAccess } from '../../datasets/index.js';
import { lastingRefusalOf } from '../cases/temporary-failures.js';
import { EVALUATION, type EvaluationPayload } from './evaluation.task.js';
import { CaseSearch } from './case-search.service.js';
import { EvaluationJobsRepository, type JobRow } from '../records/evaluation-jobs.repository.js';
import { EvaluationResultsRepository } from './evaluation-results.repository.js';
import { JobConclusion } from './job-conclusion.service.js';
import { requirePermissions } from './job-permissions.js';

/**
 * Carries out an evaluation: every case under every variant, each result a row; then what they say together. Begun again it goes on
 * behind the rows that are there, and a job that was cancelled takes no more of them.
 */
@TaskHandler(EVALUATION)
export class EvaluationRun implements TaskHandler<EvaluationPayload> {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly jobs: EvaluationJobsRepository,
    private readonly results: EvaluationResultsRepository,
    private readonly searches: CaseSearch,
    private readonly conclusion: JobConclusion,
    private readonly access: DatasetAccess,
    private readonly events: DomainEvents,
  ) {}

  async run(task: RunningTask<EvaluationPayload>): Promise<JsonObject> {
    const { ctx, signal, payload } = task;
    try {
      return await this.carryOut(task);
    } catch (error) {
      signal.throwIfAborted();
      const refusal = lastingRefusalOf(error);
      // Another try would be refused as well: rights, datasets or options are not what they were.
      if (refusal === undefined) throw error;
      const end = { status: 'failed', errorCode: refusal.code, error: refusal.message } as const;
      await this.unitOfWork.run(ctx, (_manager, inner) => this.jobs.end(inner, payload.jobId, end));
      throw new TaskFailed(refusal.code, refusal.message);
    }
  }

  private async carryOut(task: RunningTask<EvaluationPayload>): Promise<JsonObject> {
    const { ctx } = task;
    const { jobId } = task.payload;
    const visible = await this.jobs.find(ctx, jobId);
    requirePermissions(ctx, visible?.spec.variants ?? []);
    const datasets = await this.access.requireAllVisible(ctx, visible?.dataset_ids ?? []);
    const contents = Object.fromEntries(datasets.map(({ id, contentSeq }) => [id, contentSeq]));
    const job = visible === undefined ? undefined : await this.jobs.begin(ctx, jobId, contents);
    if (job === undefined) return { ended: true };
    if (!(await this.searchAll(task, job))) return { ended: true };
    const cases = await this.jobs.casesOf(ctx, job.id);
    const { summary, verdict } = await this.conclusion.draw(task, job, cases);
    await this.unitOfWork.run(ctx, async (_manager, inner) => {
      if (!(await this.jobs.end(inner, job.id, { status: 'completed', summary, verdict }))) return;
      await this.events.publish(inner, EVALUATION_COMPLETED, [
        {
          evaluation_id: job.id,
          dataset_ids: job.shown_with_dataset_ids,
          verdict,
          cases: job.case_count,
          variants: job.spec.variants.length,
        },
      ]);
    });
    return { verdict };
  }

  /** False when the job was ended meanwhile. */
  private async searchAll(task: RunningTask<EvaluationPayload>, job: JobRow): Promise<boolean> {
    const { ctx, signal } = task;
    const done = await this.results.listDone(ctx, job.id);
    const cases = await this.jobs.casesOf(ctx, job.id);
    for (const [ordinal, one] of cases.entries()) {
      for (const variant of job.spec.variants.keys()) {
        if (done.has(`${variant}:${ordinal}`)) continue;
        signal.throwIfAborted();
        const row = await this.searches.run(ctx, job, one, { variant, ordinal }, signal);
        if (!(await this.results.add(ctx, row))) return false;
        await task.giveWay();
      }
    }
    return true;
  }
}
