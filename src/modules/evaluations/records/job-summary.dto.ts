import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import type { JsonObject } from '#libs/common';
import { VERDICTS, type Verdict } from '../scoring/job-summary.js';

const NUMBER = { type: Number, nullable: true } as const;
const COUNT = { type: 'integer', minimum: 0 } as const;
const MS = { type: Number, minimum: 0 } as const;

/** Mean of a metric with its 95 % bootstrap interval (BCa). */
export class MetricFigureDto {
  /** Mean over the cases; null without any. */
  @ApiProperty(NUMBER)
  mean!: number | null;

  /** Low end of the interval; null for fewer than two cases. */
  @ApiProperty(NUMBER)
  low!: number | null;

  /** High end of the interval. */
  @ApiProperty(NUMBER)
  high!: number | null;

  /** How many cases count. */
  @ApiProperty(COUNT)
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

  /** Each metric at each `k`. */
  @ApiProperty(FIGURES)
  metrics!: Record<string, MetricFigureDto>;
}

/** Milliseconds of a search, by nearest rank. */
export class LatencyFiguresDto {
  /** Median. */
  @ApiProperty(MS)
  p50!: number;

  /** 90th percentile. */
  @ApiProperty(MS)
  p90!: number;

  /** 95th percentile. */
  @ApiProperty(MS)
  p95!: number;

  /** 99th percentile. */
  @ApiProperty(MS)
  p99!: number;

  /** Longest. */
  @ApiProperty(MS)
  max!: number;
}

/** A change of the search that brings back missed cases, tried on cases of the evaluation. */
export class CauseFixDto {
  /** What is changed, as `POST /retrieval/explain` names it. */
  action!: string;

  /** JSON Merge Patch (RFC 7396) of the search. */
  @ApiProperty({ type: 'object', additionalProperties: true })
  change!: JsonObject;

  /** How many misses of this cause were searched with the change, at most 100. */
  @ApiProperty(COUNT)
  tried!: number;

  /** How many of them it mends. */
  @ApiProperty(COUNT)
  mends!: number;

  /** How many other cases were searched with it, at most 100. */
  @ApiProperty(COUNT)
  checked!: number;

  /** How many of those it turns into misses. */
  @ApiProperty(COUNT)
  breaks!: number;
}

/** Misses with one cause. */
export class MissCauseDto {
  /** As `POST /retrieval/explain` gives it. */
  code!: string;

  /** The code in words. */
  meaning!: string;

  /** How many misses. */
  @ApiProperty(COUNT)
  count!: number;

  /** Places of at most ten of the cases, from 0. */
  @ApiProperty({ type: 'array', items: { type: 'integer', minimum: 0 } })
  examples!: number[];

  /** The change that mends most; null where none helps. */
  @ApiProperty({ type: CauseFixDto, nullable: true })
  fix!: CauseFixDto | null;
}

/** Answers of a variant. */
export class AnswerFiguresDto {
  /** What answered; more than one when another model was installed while the evaluation ran. */
  @ApiProperty({ type: [String] })
  models!: string[];

  /** Questions that were refused. */
  @ApiProperty(COUNT)
  refused!: number;

  /** Milliseconds of an answer with its search. */
  @ApiProperty({ type: LatencyFiguresDto, nullable: true })
  latency_ms!: LatencyFiguresDto | null;
}

/** How far two runs of the judge agree about a metric. */
export class JudgeAgreementDto {
  /** The metric. */
  metric!: string;

  /** Answers that at least one run judged. */
  @ApiProperty(COUNT)
  judged!: number;

  /** Runs that gave nothing usable: those answers have no value by them, never 0. */
  @ApiProperty(COUNT)
  failed_runs!: number;

  /** 1 minus the mean difference of both runs; null where no answer has both. */
  @ApiProperty({ type: Number, nullable: true, minimum: 0, maximum: 1 })
  agreement!: number | null;
}

/** Who judged the answers of a variant. */
export class JudgeFiguresDto {
  /** The chat model. */
  model!: string;

  /** Grows with every change of the prompts: values of different versions do not compare. */
  @ApiProperty({ type: 'integer', minimum: 1 })
  prompt_version!: number;

  /** Each metric that it judged. */
  @ApiProperty({ type: [JudgeAgreementDto] })
  metrics!: JudgeAgreementDto[];
}

/** Figures of a variant. */
export class VariantSummaryDto {
  /** Its name. */
  name!: string;

  /** `config_fingerprint` of its searches; more than one when the configuration changed meanwhile. */
  @ApiProperty({ type: [String] })
  fingerprints!: string[];

  /** Each metric at each `k`. */
  @ApiProperty(FIGURES)
  metrics!: Record<string, MetricFigureDto>;

  /** The same by tag, for the 50 most frequent tags. */
  @ApiProperty({ type: [TagFiguresDto] })
  groups!: TagFiguresDto[];

  /** Null when no search was answered. */
  @ApiProperty({ type: LatencyFiguresDto, nullable: true })
  latency_ms!: LatencyFiguresDto | null;

  /** Null, or absent in evaluations of former versions, where the variant has no `chat`. */
  @ApiPropertyOptional({ type: AnswerFiguresDto, nullable: true })
  answers?: AnswerFiguresDto | null;

  /** Null, or absent in evaluations of former versions, where nothing was judged by a model. */
  @ApiPropertyOptional({ type: JudgeFiguresDto, nullable: true })
  judge?: JudgeFiguresDto | null;

  /** Cases whose search or answer failed; a gate cannot pass then. */
  @ApiProperty(COUNT)
  errors!: number;

  /** Cases in which nothing relevant was found. */
  @ApiProperty(COUNT)
  misses!: number;

  /** The misses by cause, most frequent first. */
  @ApiProperty({ type: [MissCauseDto] })
  causes!: MissCauseDto[];
}

/** A variant beside another one or the baseline, over the cases that both have. */
export class ComparisonDto {
  /** The metric. */
  metric!: string;

  /** The variant. */
  variant!: string;

  /** What it is compared with. */
  against!: string;

  /** Whether that is a variant of the baseline. */
  @ApiProperty({ type: Boolean })
  against_baseline!: boolean;

  /** Mean of the variant minus the other. */
  @ApiProperty(NUMBER)
  difference!: number | null;

  /** Low end of its 95 % interval. */
  @ApiProperty(NUMBER)
  low!: number | null;

  /** High end of it. */
  @ApiProperty(NUMBER)
  high!: number | null;

  /** How many cases both have. */
  @ApiProperty(COUNT)
  n!: number;

  /** Of the paired permutation test, two-sided. */
  @ApiProperty(NUMBER)
  p_value!: number | null;

  /** Corrected for all comparisons of the evaluation (Holm). */
  @ApiProperty(NUMBER)
  p_adjusted!: number | null;

  /** Whether the corrected p-value is at most 0.05. */
  @ApiProperty({ type: Boolean })
  significant!: boolean;

  /** The smallest difference that so many cases show in 80 of 100 runs; null where no case differs. */
  @ApiProperty(NUMBER)
  smallest_detectable!: number | null;
}

/** A gate for one variant. */
export class GateResultDto {
  /** The metric. */
  metric!: string;

  /** What was asked for. */
  @ApiProperty({ enum: ['min', 'max_regression'] })
  kind!: 'min' | 'max_regression';

  /** The variant. */
  variant!: string;

  /** What it is compared with; null for `min`. */
  @ApiProperty({ type: String, nullable: true })
  against!: string | null;

  /** The threshold. */
  @ApiProperty({ type: Number })
  threshold!: number;

  /** The mean, or the difference. */
  @ApiProperty(NUMBER)
  value!: number | null;

  /** Low end of its 95 % interval. */
  @ApiProperty(NUMBER)
  low!: number | null;

  /** High end of it. */
  @ApiProperty(NUMBER)
  high!: number | null;

  /** How many cases count. */
  @ApiProperty(COUNT)
  n!: number;

  /** `pass`: the whole interval reaches the threshold. `fail`: none of it does. */
  @ApiProperty({ enum: VERDICTS })
  verdict!: Verdict;
}

/** A document that changed while the evaluation ran. */
export class ChangedDocumentDto {
  /** The document. */
  @ApiProperty({ format: 'uuid' })
  document_id!: string;

  /** Its name. */
  name!: string;

  /** Whether it is gone. */
  @ApiProperty({ type: Boolean })
  deleted!: boolean;
}

/** What an evaluation found. */
@ApiSchema({ name: 'EvaluationSummary' })
export class JobSummaryDto {
  /** Each variant. */
  @ApiProperty({ type: [VariantSummaryDto] })
  variants!: VariantSummaryDto[];

  /** Each pair of variants, and each variant with the baseline. */
  @ApiProperty({ type: [ComparisonDto] })
  comparisons!: ComparisonDto[];

  /** Each gate for each variant. */
  @ApiProperty({ type: [GateResultDto] })
  gates!: GateResultDto[];

  /** Whether searches of one variant were configured differently. */
  @ApiProperty({ type: Boolean })
  configuration_changed!: boolean;

  /** Whether what the datasets show changed while it ran. */
  @ApiProperty({ type: Boolean })
  content_changed!: boolean;

  /** At most 100 documents that did. */
  @ApiProperty({ type: [ChangedDocumentDto] })
  changed_documents!: ChangedDocumentDto[];
}
