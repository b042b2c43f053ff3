import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import type { JsonObject } from '#libs/common';
import { Answer } from '#libs/http';
import { VERDICTS, type Verdict } from '../scoring/job-summary.js';

/** Mean of a metric with its 95 % bootstrap interval (BCa). */
export class MetricFigureDto {
  /** Mean over the cases; null where no case has a value. */
  @Answer.Decimal({ nullable: true })
  mean!: number | null;

  /** Lower end of the interval; null with fewer than two cases. */
  @Answer.Decimal({ nullable: true })
  low!: number | null;

  /** Upper end of the interval; null with fewer than two cases. */
  @Answer.Decimal({ nullable: true })
  high!: number | null;

  /** Number of cases with a value. */
  @Answer.Count()
  n!: number;
}

const FIGURES = {
  type: 'object',
  additionalProperties: { $ref: '#/components/schemas/MetricFigureDto' },
} as const;

/** Figures of the cases with a tag. */
export class TagFiguresDto {
  /** The tag. */
  tag!: string;

  /** Figures of each metric at each `k`. */
  @ApiProperty(FIGURES)
  metrics!: Record<string, MetricFigureDto>;
}

/** Percentiles of a duration, in milliseconds, by nearest rank. */
export class LatencyFiguresDto {
  /** Median, in milliseconds. */
  @Answer.Decimal({ min: 0 })
  p50!: number;

  /** 90th percentile, in milliseconds. */
  @Answer.Decimal({ min: 0 })
  p90!: number;

  /** 95th percentile, in milliseconds. */
  @Answer.Decimal({ min: 0 })
  p95!: number;

  /** 99th percentile, in milliseconds. */
  @Answer.Decimal({ min: 0 })
  p99!: number;

  /** Maximum, in milliseconds. */
  @Answer.Decimal({ min: 0 })
  max!: number;
}

/** A change of the search that brings back missed cases, tried on cases of the evaluation. */
export class CauseFixDto {
  /** Name of the change, as in the suggestions of `POST /retrieval/explain`. */
  action!: string;

  /** The change, as a JSON Merge Patch (RFC 7396) of the search. */
  @Answer.Json()
  change!: JsonObject;

  /** Number of misses of this cause that were searched with the change, at most 100. */
  @Answer.Count()
  tried!: number;

  /** Number of those misses that the change turns into hits. */
  @Answer.Count()
  mends!: number;

  /** Number of other cases that were searched with the change, at most 100. */
  @Answer.Count()
  checked!: number;

  /** Number of those cases that the change turns into misses. */
  @Answer.Count()
  breaks!: number;
}

/** Misses with one cause. */
export class MissCauseDto {
  /** Code of the cause, as in `POST /retrieval/explain`. */
  code!: string;

  /** The cause in a sentence. */
  meaning!: string;

  /** Number of misses. */
  @Answer.Count()
  count!: number;

  /** Positions of the cases, from 0; at most ten. */
  @ApiProperty({ type: 'array', items: { type: 'integer', minimum: 0 } })
  examples!: number[];

  /** The change that turns most misses into hits; null where no tried change helps. */
  @Answer.Nested(CauseFixDto, { nullable: true })
  fix!: CauseFixDto | null;
}

/** Answers of a variant. */
export class AnswerFiguresDto {
  /** Models that answered; more than one when another model was installed while the evaluation ran. */
  @Answer.Texts()
  models!: string[];

  /** Number of questions that were refused. */
  @Answer.Count()
  refused!: number;

  /** Duration of a chat with its search; null when none was answered. */
  @Answer.Nested(LatencyFiguresDto, { nullable: true })
  latency_ms!: LatencyFiguresDto | null;
}

/** Agreement of two runs of the judge about a metric. */
export class JudgeAgreementDto {
  /** Name of the metric. */
  metric!: string;

  /** Number of answers that at least one run judged. */
  @Answer.Count()
  judged!: number;

  /** Number of runs without a usable result. Such a run gives an answer no value; it does not count as 0. */
  @Answer.Count()
  failed_runs!: number;

  /** 1 minus the mean difference between the two runs, 0 to 1; null where no answer was judged by both. */
  @Answer.Share({ nullable: true })
  agreement!: number | null;
}

/** The model that judged the answers of a variant. */
export class JudgeFiguresDto {
  /** Name of the chat model. */
  model!: string;

  /** Version of the prompts; values of different versions cannot be compared. */
  @Answer.Integer({ min: 1 })
  prompt_version!: number;

  /** Agreement of the runs, for each metric that was judged. */
  @Answer.NestedList(JudgeAgreementDto)
  metrics!: JudgeAgreementDto[];
}

/** Figures of a variant. */
export class VariantSummaryDto {
  /** Name of the variant. */
  name!: string;

  /** Values of `config_fingerprint` of the variant's searches; more than one when the configuration changed meanwhile. */
  @Answer.Texts()
  fingerprints!: string[];

  /** Figures of each metric at each `k`. */
  @ApiProperty(FIGURES)
  metrics!: Record<string, MetricFigureDto>;

  /** Figures by tag, for the 50 most frequent tags. */
  @Answer.NestedList(TagFiguresDto)
  groups!: TagFiguresDto[];

  /** Duration of a search; null when none was answered. */
  @Answer.Nested(LatencyFiguresDto, { nullable: true })
  latency_ms!: LatencyFiguresDto | null;

  /** Figures of the answers; null where the variant has no `chat`. Absent in evaluations of former versions of the service. */
  @Answer.Nested(AnswerFiguresDto, { optional: true, nullable: true })
  answers?: AnswerFiguresDto | null;

  /** The model that judged the answers; null where none did. Absent in evaluations of former versions of the service. */
  @Answer.Nested(JudgeFiguresDto, { optional: true, nullable: true })
  judge?: JudgeFiguresDto | null;

  /** Number of cases whose search or chat failed; unless it is 0, no gate can pass. */
  @Answer.Count()
  errors!: number;

  /** Number of cases for which nothing relevant was found. */
  @Answer.Count()
  misses!: number;

  /** Misses by cause, most frequent first. */
  @Answer.NestedList(MissCauseDto)
  causes!: MissCauseDto[];
}

/** Comparison of a variant with another one or with the baseline, over the cases that both have. */
export class ComparisonDto {
  /** Name of the metric. */
  metric!: string;

  /** Name of the variant. */
  variant!: string;

  /** Name of the variant that `variant` is compared with. */
  against!: string;

  /** Whether `against` is a variant of the baseline. */
  @Answer.Flag()
  against_baseline!: boolean;

  /** Mean of `variant` minus mean of `against`; null where no case has a value in both. */
  @Answer.Decimal({ nullable: true })
  difference!: number | null;

  /** Lower end of the 95 % interval of the difference; null where it cannot be computed. */
  @Answer.Decimal({ nullable: true })
  low!: number | null;

  /** Upper end of the 95 % interval of the difference; null where it cannot be computed. */
  @Answer.Decimal({ nullable: true })
  high!: number | null;

  /** Number of cases that both have. */
  @Answer.Count()
  n!: number;

  /** P-value of the two-sided paired permutation test; null where it cannot be computed. */
  @Answer.Decimal({ nullable: true })
  p_value!: number | null;

  /** P-value after correction for all comparisons of the evaluation (Holm); null where `p_value` is null. */
  @Answer.Decimal({ nullable: true })
  p_adjusted!: number | null;

  /** Whether the corrected p-value is at most 0.05. */
  @Answer.Flag()
  significant!: boolean;

  /** Smallest difference of the means that this number of cases detects in 80 of 100 evaluations; null where no case differs. */
  @Answer.Decimal({ nullable: true })
  smallest_detectable!: number | null;
}

/** Result of a gate for one variant. */
export class GateResultDto {
  /** Name of the metric. */
  metric!: string;

  /** Condition of the gate that was checked. */
  @Answer.Choice(['min', 'max_regression'])
  kind!: 'min' | 'max_regression';

  /** Name of the variant. */
  variant!: string;

  /** Name of the variant that `variant` is compared with; null for `min`. */
  @Answer.Text({ nullable: true })
  against!: string | null;

  /** Value of the condition: the lowest acceptable mean, or the largest acceptable loss. */
  @Answer.Decimal()
  threshold!: number;

  /** The mean, or for `max_regression` the difference of the means; null where there is none. */
  @Answer.Decimal({ nullable: true })
  value!: number | null;

  /** Lower end of the 95 % interval of `value`; null where there is none. */
  @Answer.Decimal({ nullable: true })
  low!: number | null;

  /** Upper end of the 95 % interval of `value`; null where there is none. */
  @Answer.Decimal({ nullable: true })
  high!: number | null;

  /** Number of cases with a value. */
  @Answer.Count()
  n!: number;

  /**
   * `pass`: the whole interval is at or above `threshold` (for `max_regression`, at or above minus `threshold`). `fail`: the whole interval is
   * below. Otherwise `inconclusive`.
   */
  @Answer.Choice(VERDICTS)
  verdict!: Verdict;
}

/** A document that changed while the evaluation ran. */
export class ChangedDocumentDto {
  /** Identifier of the document. */
  @Answer.Uuid()
  document_id!: string;

  /** Name of the document. */
  name!: string;

  /** Whether the document was deleted. */
  @Answer.Flag()
  deleted!: boolean;
}

/** Figures of an evaluation. */
@ApiSchema({ name: 'EvaluationSummary' })
export class JobSummaryDto {
  /** Figures of each variant. */
  @Answer.NestedList(VariantSummaryDto)
  variants!: VariantSummaryDto[];

  /** Comparisons of each pair of variants, and of each variant with the baseline. */
  @Answer.NestedList(ComparisonDto)
  comparisons!: ComparisonDto[];

  /** Results of each gate for each variant. */
  @Answer.NestedList(GateResultDto)
  gates!: GateResultDto[];

  /** Whether searches of one variant had different configurations. */
  @Answer.Flag()
  configuration_changed!: boolean;

  /** Whether the content of the datasets changed while the evaluation ran. */
  @Answer.Flag()
  content_changed!: boolean;

  /** Documents that changed while the evaluation ran, at most 100. */
  @Answer.NestedList(ChangedDocumentDto)
  changed_documents!: ChangedDocumentDto[];
}
