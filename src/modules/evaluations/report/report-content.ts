import type { EvaluationCase } from '../cases/evaluation-case.js';
import type { EvaluationJob } from '../records/job.dto.js';
import type { ScoreRow } from '../jobs/evaluation-results.repository.js';
import type { Compared } from '../scoring/job-statistics.js';
import type { GateResult, JobSummary } from '../scoring/job-summary.js';

/** A completed evaluation, as input of every form of its report. */
export interface ReportContent {
  readonly job: EvaluationJob;
  readonly summary: JobSummary;
  readonly cases: readonly EvaluationCase[];
  /** By case, then by variant. */
  readonly scores: readonly ScoreRow[];
  readonly pairs: readonly Compared[];
}

/** Difference of a case between two variants. */
export interface CaseDifference {
  readonly ordinal: number;
  readonly ours: number;
  readonly theirs: number;
}

/** Cases that both have, in the order of the cases. */
export function differencesOf({ variant, against }: Compared, metric: string): CaseDifference[] {
  const theirs = against.values.get(metric) ?? [];
  return (variant.values.get(metric) ?? []).flatMap((ours, ordinal) => {
    const other = theirs[ordinal] ?? null;
    return ours === null || other === null ? [] : [{ ordinal, ours, theirs: other }];
  });
}

/** A case that counts against a gate, and its value or difference. */
export interface FailingCase {
  readonly ordinal: number;
  readonly value: number;
}

/** Cases that count against a failed gate, the worst first: those below `min`, or worse than in the compared variant. */
export function failingCasesOf(gate: GateResult, content: ReportContent): FailingCase[] {
  const found = gate.kind === 'min' ? below(gate, content) : worse(gate, content);
  return found.sort((a, b) => a.value - b.value || a.ordinal - b.ordinal);
}

function below({ metric, threshold, variant }: GateResult, { summary, scores }: ReportContent): FailingCase[] {
  const index = summary.variants.findIndex(({ name }) => name === variant);
  return scores.flatMap(({ variant: of, ordinal, metrics }) => {
    const value = metrics[metric] ?? null;
    return of === index && value !== null && value < threshold ? [{ ordinal, value }] : [];
  });
}

function worse({ metric, variant, against }: GateResult, { pairs }: ReportContent): FailingCase[] {
  const pair = referencePairs(pairs).find((one) => one.variant.name === variant && one.against.name === against);
  const all = pair === undefined ? [] : differencesOf(pair, metric);
  return all.flatMap(({ ordinal, ours, theirs }) => (ours < theirs ? [{ ordinal, value: ours - theirs }] : []));
}

/** The variant that gates compare with: that of the baseline if there is one, otherwise the first. */
export function referencePairs(pairs: readonly Compared[]): readonly Compared[] {
  const withBaseline = pairs.filter(({ isBaseline }) => isBaseline);
  return withBaseline.length > 0 ? withBaseline : pairs.filter(({ against }) => against === pairs[0]?.against);
}

/** `0.8125` → `0.813`; a dash for nothing. */
export function figure(value: number | null, digits = 3): string {
  return value === null ? '–' : value.toFixed(digits).replace(/^-(0\.?0*)$/, '$1');
}

/** Condition of a gate, in one line. */
export function demandOf({ metric, kind, threshold, variant, against }: GateResult): string {
  return kind === 'min'
    ? `${variant}: ${metric} at least ${threshold}`
    : `${variant}: ${metric} at most ${threshold} below ${against ?? ''}`;
}

/** Result of a gate, in one line. */
export function outcomeOf({ kind, value, low, high, n }: GateResult): string {
  const what = kind === 'min' ? 'mean' : 'difference';
  return `${what} ${figure(value)}, 95 % interval ${figure(low)} to ${figure(high)}, ${n} cases`;
}
