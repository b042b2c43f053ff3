import { describe, expect, it } from 'vitest';
import { newId } from '#libs/common';
import type { UnitOfWork } from '#libs/database';
import type { DomainEvents } from '#libs/events';
import { ROLE_PERMISSIONS, type RequestContext } from '#libs/tenancy';
import { inTurns, runningTask } from '../../../../libs/tasks/src/testing/tasks-over.js';
import type { DatasetAccess } from '../../datasets/index.js';
import type { CaseSearch } from './case-search.service.js';
import { ChangeTrials } from '../scoring/change-trials.js';
import type { EvaluationJobsRepository } from '../records/evaluation-jobs.repository.js';
import type { EvaluationResultsRepository } from './evaluation-results.repository.js';
import { EvaluationRun } from './evaluation-run.task.js';
import type { JobConclusion } from './job-conclusion.service.js';

const CASES = 3;
const VARIANTS = 2;
const TRIALS = ['0:NOT_IN_CANDIDATES', '1:OUTRANKED'];

const ctx = {
  tenantId: newId(),
  principal: { kind: 'system', permissions: new Set(ROLE_PERMISSIONS.owner) },
  requestId: 'r',
} as unknown as RequestContext;

/** An evaluation whose rows are kept here, and what was done for it. */
function evaluation() {
  const job = {
    id: newId(),
    spec: { variants: [{}, {}] },
    dataset_ids: [],
    shown_with_dataset_ids: [],
    case_count: CASES,
  };
  const done = new Set<string>();
  const log: string[] = [];
  const jobs = {
    find: async () => job,
    begin: async () => job,
    casesOf: async () => Array.from({ length: CASES }, () => ({})),
    end: async () => true,
  };
  const results = {
    listDone: async () => new Set(done),
    add: async (_ctx: unknown, key: string) => done.add(key),
  };
  const searches = {
    run: async (_ctx: unknown, _job: unknown, _case: unknown, place: { variant: number; ordinal: number }) => {
      const key = `${place.variant}:${place.ordinal}`;
      log.push(key);
      return key;
    },
  };
  const conclusion = {
    draw: async (task: ConstructorParameters<typeof ChangeTrials>[0]) => {
      const trials = new ChangeTrials(task);
      const found: number[] = [];
      for (const key of TRIALS) {
        const make = async () => ({ mends: log.push(key), breaks: 0 });
        found.push((await trials.result(key, make)).mends);
      }
      return { summary: {}, verdict: found.length === TRIALS.length ? 'pass' : null };
    },
  };
  const unitOfWork = {
    run: async (_ctx: unknown, work: (manager: null, inner: unknown) => unknown) => work(null, ctx),
  };
  const run = new EvaluationRun(
    unitOfWork as unknown as UnitOfWork,
    jobs as unknown as EvaluationJobsRepository,
    results as unknown as EvaluationResultsRepository,
    searches as unknown as CaseSearch,
    conclusion as unknown as JobConclusion,
    { requireAllVisible: async () => [] } as unknown as DatasetAccess,
    { publish: async () => undefined } as unknown as DomainEvents,
  );
  return { run, log, jobId: job.id };
}

describe('an evaluation', () => {
  it('lets other tenants take turns after each case and each trial, and does none of them twice', async () => {
    const { run, log, jobId } = evaluation();
    const { turns, result } = await inTurns(run, runningTask(ctx, { jobId }));
    expect(log).toEqual(['0:0', '1:0', '0:1', '1:1', '0:2', '1:2', ...TRIALS]);
    expect(turns).toBe(CASES * VARIANTS + TRIALS.length + 1);
    expect(result).toEqual({ verdict: 'pass' });
  });
});
