import type { JudgeFigures } from './judge-agreement.js';

export const VERDICTS = ['pass', 'fail', 'inconclusive'] as const;
export type Verdict = (typeof VERDICTS)[number];

/** Mean of a metric with its 95 % interval; null where there are too few cases. */
export interface MetricFigure {
  readonly mean: number | null;
  readonly low: number | null;
  readonly high: number | null;
  readonly n: number;
}

export type MetricFigures = Readonly<Record<string, MetricFigure>>;

export interface TagFigures {
  readonly tag: string;
  readonly metrics: MetricFigures;
}

/** Milliseconds. */
export interface LatencyFigures {
  readonly p50: number;
  readonly p90: number;
  readonly p95: number;
  readonly p99: number;
  readonly max: number;
}

/** A change that turns misses into hits, tried on the cases of the job. */
export interface CauseFix {
  readonly action: string;
  readonly change: Readonly<Record<string, unknown>>;
  /** Number of misses of this cause that were tried with the change, and of those that it turns into hits. */
  readonly tried: number;
  readonly mends: number;
  /** Number of other cases that were tried with the change, and of those that it turns into misses. */
  readonly checked: number;
  readonly breaks: number;
}

export interface MissCause {
  readonly code: string;
  readonly meaning: string;
  readonly count: number;
  /** Cases, by their place in the job from 0; at most ten. */
  readonly examples: readonly number[];
  /** Null where no change of the search helps. */
  readonly fix: CauseFix | null;
}

/** Numbers of the answers of a variant, regardless of their quality. */
export interface AnswerFigures {
  /** More than one when another model was installed while the job ran. */
  readonly models: readonly string[];
  readonly refused: number;
  readonly latency_ms: LatencyFigures | null;
}

export interface VariantSummary {
  readonly name: string;
  /** Of the searches; more than one when the configuration changed while the job ran. */
  readonly fingerprints: readonly string[];
  readonly metrics: MetricFigures;
  readonly groups: readonly TagFigures[];
  readonly latency_ms: LatencyFigures | null;
  /** Null, or absent in summaries of former versions, where nothing was asked. */
  readonly answers?: AnswerFigures | null;
  /** Null, or absent in summaries of former versions, where nothing was judged. */
  readonly judge?: JudgeFigures | null;
  readonly errors: number;
  readonly misses: number;
  readonly causes: readonly MissCause[];
}

/** A variant beside another one, or beside the baseline, over the cases that both have. */
export interface Comparison {
  readonly metric: string;
  readonly variant: string;
  readonly against: string;
  readonly against_baseline: boolean;
  /** Mean of variant minus the other, with its 95 % interval. */
  readonly difference: number | null;
  readonly low: number | null;
  readonly high: number | null;
  readonly n: number;
  readonly p_value: number | null;
  /** Corrected for all comparisons of the job (Holm). */
  readonly p_adjusted: number | null;
  readonly significant: boolean;
  readonly smallest_detectable: number | null;
}

export interface GateResult {
  readonly metric: string;
  readonly kind: 'min' | 'max_regression';
  readonly variant: string;
  /** What it is compared with; null for `min`. */
  readonly against: string | null;
  readonly threshold: number;
  readonly value: number | null;
  readonly low: number | null;
  readonly high: number | null;
  readonly n: number;
  readonly verdict: Verdict;
}

/** A document that changed while the job ran. */
export interface ChangedDocument {
  readonly document_id: string;
  readonly name: string;
  readonly deleted: boolean;
}

/** Summary of a job. */
export interface JobSummary {
  readonly variants: readonly VariantSummary[];
  readonly comparisons: readonly Comparison[];
  readonly gates: readonly GateResult[];
  readonly configuration_changed: boolean;
  readonly content_changed: boolean;
  readonly changed_documents: readonly ChangedDocument[];
}
