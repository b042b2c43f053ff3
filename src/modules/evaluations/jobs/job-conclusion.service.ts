import { Injectable } from '@nestjs/common';
import { LowPriority, type JsonObject } from '#libs/common';
import type { RunningTask } from '#libs/tasks';
import type { RequestContext } from '#libs/tenancy';
import { DatasetAccess, mergePatch } from '../../datasets/index.js';
import type { EvaluationCase } from '../cases/evaluation-case.js';
import { judgeGates, verdictOfJob } from '../scoring/gate-verdicts.js';
import { compareAll, figuresOf, groupsOf, latencyOf } from '../scoring/job-statistics.js';
import type {
  AnswerFigures,
  CauseFix,
  ChangedDocument,
  JobSummary,
  MissCause,
  VariantSummary,
  Verdict,
} from '../scoring/job-summary.js';
import { agreementOf, type JudgeFigures } from '../scoring/judge-agreement.js';
import { isJudgeMetric, metricKeys } from '../scoring/metric-catalogue.js';
import { groupMisses, type MissGroup } from '../scoring/miss-causes.js';
import { CaseSearch } from './case-search.service.js';
import { ChangeTrials } from '../scoring/change-trials.js';
import type { JobRow } from '../records/evaluation-jobs.repository.js';
import { EvaluationResultsRepository, type ScoreRow } from './evaluation-results.repository.js';
import { JobValues } from './job-values.service.js';
import { meaningOf } from './job-views.js';
import type { JobSpec, VariantSearch } from '../scoring/job-spec.js';

/** Cases that a change is tried on, of misses and of others. */
const MOST_TRIED = 100;
const MOST_EXAMPLES = 10;
const MOST_FIXED_CAUSES = 3;

export interface Conclusion {
  readonly summary: JobSummary;
  readonly verdict: Verdict | null;
}

/** Principal of a conclusion, and the trials made so far. */
interface ConclusionWork {
  readonly ctx: RequestContext;
  readonly signal: AbortSignal;
  readonly trials: ChangeTrials;
}

/** Computes the summary of a job after all searches, from the stored results, so that it is the same after every restart. */
@Injectable()
export class JobConclusion {
  constructor(
    private readonly values: JobValues,
    private readonly results: EvaluationResultsRepository,
    private readonly searches: CaseSearch,
    private readonly access: DatasetAccess,
    private readonly lowPriority: LowPriority,
  ) {}

  async draw(
    task: Pick<RunningTask<object>, 'ctx' | 'signal' | 'progress' | 'giveWay'>,
    job: JobRow,
    cases: readonly EvaluationCase[],
  ): Promise<Conclusion> {
    const { ctx, signal } = task;
    const trials = new ChangeTrials(task);
    const rows = await this.results.listScores(ctx, job.id);
    const byVariant = job.spec.variants.map((_, variant) => rows.filter((row) => row.variant === variant));
    const keys = metricKeys(job.spec.metrics, job.spec.k);
    // Not of the job: the same evaluation of the same content ends with the same figures.
    const seed = JSON.stringify(job.spec);
    const { values, pairs } = await this.values.of(ctx, job, cases, rows);
    const comparisons = await this.lowPriority.inTurns(compareAll(pairs, keys, seed), signal);
    const tags = cases.map((one) => one.tags);
    const variants: VariantSummary[] = [];
    for (const [index, of] of values.entries()) {
      const list = byVariant[index]!;
      const metrics = await this.lowPriority.inTurns(figuresOf(of, seed), signal);
      const groups = await this.lowPriority.inTurns(groupsOf(of, tags, seed), signal);
      const causes = await this.causesOf({ ctx, signal, trials }, job, cases, index, list);
      variants.push({ ...headOf(of.name, list), judge: judgeOf(job.spec, index, list), metrics, groups, causes });
    }
    const chats = job.spec.variants.map(({ chat }) => (chat === undefined ? {} : { chat }));
    const judged = variants.map((one, index) => ({ ...one, ...chats[index] }));
    const gates = judgeGates(job.spec.gates, { variants: judged, comparisons });
    const changed = await this.changedOf(ctx, job);
    const configuration_changed = variants.some(({ fingerprints }) => fingerprints.length > 1);
    const summary = { variants, comparisons, gates, configuration_changed, ...changed };
    return { summary, verdict: verdictOfJob(gates) };
  }

  private async causesOf(
    work: ConclusionWork,
    job: JobRow,
    cases: readonly EvaluationCase[],
    variant: number,
    rows: readonly ScoreRow[],
  ): Promise<MissCause[]> {
    const misses = rows.flatMap(({ ordinal, miss }) => (miss === null ? [] : [{ ordinal, miss }]));
    const missed = new Set(misses.map(({ ordinal }) => ordinal));
    const others = rows
      .filter(({ ordinal, error_code: code }) => code === null && !missed.has(ordinal))
      .map(({ ordinal }) => ordinal)
      .filter((ordinal) => (cases[ordinal]?.relevant.length ?? 0) > 0);
    const causes: MissCause[] = [];
    for (const [index, group] of groupMisses(misses).entries()) {
      const fix = index < MOST_FIXED_CAUSES ? await this.tryFix(work, job, cases, variant, group, others) : null;
      const { code, ordinals } = group;
      const examples = ordinals.slice(0, MOST_EXAMPLES);
      causes.push({ code, meaning: meaningOf(code), count: ordinals.length, examples, fix });
    }
    return causes;
  }

  /** Searches misses and other cases with the change that helps most. */
  private async tryFix(
    { ctx, signal, trials }: ConclusionWork,
    job: JobRow,
    cases: readonly EvaluationCase[],
    variant: number,
    { code, ordinals, proposal }: MissGroup,
    others: readonly number[],
  ): Promise<CauseFix | null> {
    if (proposal === null || proposal.change['dataset_ids'] !== undefined) return null;
    const { retrieval } = job.spec.variants[variant]!;
    const plain = JSON.parse(JSON.stringify(retrieval)) as JsonObject;
    const search = mergePatch(plain, proposal.change) as VariantSearch;
    const [tried, checked] = [ordinals.slice(0, MOST_TRIED), others.slice(0, MOST_TRIED)];
    const count = async (list: readonly number[], wanted: boolean): Promise<number> => {
      let n = 0;
      for (const ordinal of list)
        if ((await this.searches.isMissed(ctx, job, cases[ordinal]!, search, signal)) === wanted) n += 1;
      return n;
    };
    const counts = await trials.result(`${variant}:${code}`, async () => ({
      mends: await count(tried, false),
      breaks: await count(checked, true),
    }));
    return { ...proposal, tried: tried.length, mends: counts.mends, checked: checked.length, breaks: counts.breaks };
  }

  private async changedOf(
    ctx: RequestContext,
    { dataset_ids: ids, contents }: JobRow,
  ): Promise<Pick<JobSummary, 'content_changed' | 'changed_documents'>> {
    const datasets = await this.access.requireAllVisible(ctx, ids);
    const documents: ChangedDocument[] = [];
    let isChanged = false;
    for (const { id, contentSeq } of datasets) {
      const since = contents?.[id] ?? contentSeq;
      if (since === contentSeq) continue;
      isChanged = true;
      documents.push(...(await this.results.listChanged(ctx, id, since)));
    }
    return { content_changed: isChanged, changed_documents: documents.slice(0, MOST_TRIED) };
  }
}

function headOf(
  name: string,
  rows: readonly ScoreRow[],
): Pick<VariantSummary, 'name' | 'fingerprints' | 'latency_ms' | 'answers' | 'errors' | 'misses'> {
  const answered = rows.filter(({ error_code: code }) => code === null);
  const fingerprints = new Set(answered.flatMap(({ fingerprint }) => (fingerprint === null ? [] : [fingerprint])));
  return {
    name,
    fingerprints: [...fingerprints].sort(),
    latency_ms: latencyOf(answered.map(({ latency_ms: ms }) => ms)),
    answers: answersOf(rows),
    errors: rows.filter(({ error_code: code, answer }) => (code ?? answer?.error_code ?? null) !== null).length,
    misses: rows.filter(({ miss }) => miss !== null).length,
  };
}

function judgeOf(
  { judge, metrics, variants }: JobSpec,
  variant: number,
  rows: readonly ScoreRow[],
): JudgeFigures | null {
  if (judge === undefined || variants[variant]?.chat === undefined) return null;
  const records = rows.flatMap(({ answer }) => (answer?.judged === undefined ? [] : [answer.judged]));
  return agreementOf(judge, metrics.filter(isJudgeMetric), records);
}

function answersOf(rows: readonly ScoreRow[]): AnswerFigures | null {
  const records = rows.flatMap(({ answer }) => (answer === null ? [] : [answer]));
  const given = records.filter(({ error_code: code }) => code === null);
  if (records.length === 0) return null;
  return {
    models: [...new Set(given.flatMap(({ model }) => (model === null ? [] : [model])))].sort(),
    refused: given.filter(({ refusal }) => refusal !== null).length,
    latency_ms: latencyOf(given.map(({ latency_ms: ms }) => ms)),
  };
}
