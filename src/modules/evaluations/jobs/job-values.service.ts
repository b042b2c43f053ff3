import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#libs/tenancy';
import type { EvaluationCase } from '../cases/evaluation-case.js';
import { queryKey } from '../cases/parse-cases.js';
import type { Compared, VariantValues } from '../scoring/job-statistics.js';
import { metricKeys } from '../scoring/metric-catalogue.js';
import { EvaluationJobsRepository, type JobRow } from '../records/evaluation-jobs.repository.js';
import { EvaluationResultsRepository, type ScoreRow } from './evaluation-results.repository.js';

/** Values of every variant of a job, and the pairs to compare. */
export interface ValuesOfJob {
  readonly values: readonly VariantValues[];
  readonly pairs: readonly Compared[];
}

/** The values of a job by case, beside those of its baseline. */
@Injectable()
export class JobValues {
  constructor(
    private readonly jobs: EvaluationJobsRepository,
    private readonly results: EvaluationResultsRepository,
  ) {}

  /** The pairs are all variants with each other, then each with the baseline. */
  async of(
    ctx: RequestContext,
    job: JobRow,
    cases: readonly EvaluationCase[],
    rows: readonly ScoreRow[],
  ): Promise<ValuesOfJob> {
    const values = valuesOfAll(job, rows, cases.length, metricKeys(job.spec.metrics, job.spec.k));
    return { values, pairs: [...pairsOf(values), ...(await this.baselinePairs(ctx, job, cases, values))] };
  }

  /** Each variant beside the variant of the same name of the baseline, else its first, over the queries that both have. */
  private async baselinePairs(
    ctx: RequestContext,
    job: JobRow,
    cases: readonly EvaluationCase[],
    values: readonly VariantValues[],
  ): Promise<Compared[]> {
    const baseline = job.baseline_job_id === null ? undefined : await this.jobs.find(ctx, job.baseline_job_id);
    if (baseline === undefined) return [];
    const theirs = await this.jobs.casesOf(ctx, baseline.id);
    const rows = await this.results.listScores(ctx, baseline.id);
    const former = valuesOfAll(baseline, rows, theirs.length, metricKeys(job.spec.metrics, job.spec.k));
    const places = new Map(theirs.map(({ query }, index) => [queryKey(query), index]));
    const order = cases.map(({ query }) => places.get(queryKey(query)) ?? -1);
    return values.map((variant) => {
      const { name, values: all } = former.find((one) => one.name === variant.name) ?? former[0]!;
      const against = new Map([...all].map(([key, list]) => [key, order.map((place) => list[place] ?? null)]));
      return { variant, against: { name, values: against }, isBaseline: true };
    });
  }
}

function valuesOfAll(
  { spec }: JobRow,
  rows: readonly ScoreRow[],
  cases: number,
  keys: readonly string[],
): VariantValues[] {
  return spec.variants.map(({ name }, variant) => {
    const byOrdinal = new Map(
      rows.flatMap((row) => (row.variant === variant ? [[row.ordinal, row.metrics] as const] : [])),
    );
    const values = keys.map((key) => {
      const list = Array.from({ length: cases }, (_, ordinal) => byOrdinal.get(ordinal)?.[key] ?? null);
      return [key, list] as const;
    });
    return { name, values: new Map(values) };
  });
}

function pairsOf(values: readonly VariantValues[]): Compared[] {
  return values.flatMap((against, index) =>
    values.slice(index + 1).map((variant) => ({ variant, against, isBaseline: false })),
  );
}
