import { ApiPropertyOptional } from '@nestjs/swagger';
import { ArrayMaxSize, ArrayMinSize, ArrayUnique, IsArray, IsIn, IsInt, Max, Min } from 'class-validator';
import { Decimal, IfPresent, NestedList, Text, Uuid, Uuids } from '#libs/http';
import { DATASETS_MAX, TOP_K_MAX } from '../../retrieval/index.js';
import { MAX_CASES } from '../cases/evaluation-case.js';
import { METRIC_NAMES, type MetricName } from '../scoring/metric-catalogue.js';
import { EvaluationCaseDto, MAX_NAME } from './case-set.dto.js';
import { VariantDto } from '../cases/variant.dto.js';

export const MAX_VARIANTS = 5;
const MAX_CUTS = 5;
const MAX_GATES = 20;
/** Default of `metrics`; where a variant has `chat`, metrics of answers are added. */
export const DEFAULT_METRICS: readonly MetricName[] = ['hit_rate', 'recall', 'mrr', 'ndcg'];
export const DEFAULT_CUTS: readonly number[] = [10];

/** Condition on a metric: `min`, `max_regression` or both. */
export class GateDto {
  /**
   * Name of a metric of the evaluation with one of its `k`, such as `ndcg@10`; without `@` the greatest `k` applies. Metrics of answers have no
   * `k` and do not apply to a variant without `chat`.
   * @example "ndcg@10"
   */
  @Text({ max: 64, described: { minLength: 1 } })
  metric!: string;

  /**
   * Lowest acceptable mean. The gate passes when the whole 95 % interval is at or above it, fails when the whole interval is below it, and is
   * `inconclusive` otherwise.
   */
  @Decimal({ optional: true, min: 0, max: 1 })
  min?: number;

  /**
   * Largest acceptable loss of the mean against the baseline, or without `baseline_job_id` against the first variant. The gate passes when the
   * whole 95 % interval of the paired difference is at or above minus this value, fails when the whole interval is below it, and is `inconclusive`
   * otherwise.
   */
  @Decimal({ optional: true, min: 0, max: 1 })
  max_regression?: number;
}

/** A new evaluation. */
export class CreateEvaluationRequest {
  /**
   * Name of the evaluation.
   * @example "Ranking of contracts, nightly"
   */
  @Text({ filled: true, max: MAX_NAME })
  name!: string;

  /** Identifiers of the datasets to search, 1 to 50; each must be visible to the caller. */
  @Uuids({ min: 1, max: DATASETS_MAX })
  dataset_ids!: string[];

  /** The cases, 1 to 2,000; alternatively `case_set_id`. */
  @ApiPropertyOptional({ type: [EvaluationCaseDto], minItems: 1, maxItems: MAX_CASES })
  @IfPresent()
  @IsArray()
  cases?: object[];

  /** Identifier of a case set, of which the current version is used; cases that are not approved are left out. */
  @Uuid({ optional: true })
  case_set_id?: string;

  /** Variants to compare, 1 to 5. Default: one, named `default`, with the defaults of a search. */
  @NestedList(VariantDto, { optional: true, min: 1, max: MAX_VARIANTS })
  variants?: VariantDto[];

  /**
   * Names of metrics of `GET /evaluations/metrics`; metrics of answers need a variant with `chat`. Default: those listed here and, where a variant
   * has `chat`, all metrics of answers that need no model.
   */
  @ApiPropertyOptional({
    enum: METRIC_NAMES,
    isArray: true,
    uniqueItems: true,
    minItems: 1,
    default: [...DEFAULT_METRICS],
  })
  @IfPresent()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayUnique()
  @IsIn(METRIC_NAMES, { each: true })
  metrics?: MetricName[];

  /** Values of k, 1 to 5 of them: metrics are computed over the first k results. */
  @ApiPropertyOptional({
    type: 'array',
    items: { type: 'integer', minimum: 1, maximum: TOP_K_MAX },
    minItems: 1,
    maxItems: MAX_CUTS,
    uniqueItems: true,
    default: [...DEFAULT_CUTS],
  })
  @IfPresent()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(MAX_CUTS)
  @ArrayUnique()
  @IsInt({ each: true })
  @Min(1, { each: true })
  @Max(TOP_K_MAX, { each: true })
  k?: number[];

  /**
   * Identifier of a completed evaluation to compare with, over the cases with the same query in both. A variant is compared with the variant of
   * the same name, otherwise with the first one.
   */
  @Uuid({ optional: true })
  baseline_job_id?: string;

  /** Conditions on the metrics, at most 20. */
  @NestedList(GateDto, { optional: true, max: MAX_GATES, default: [] })
  gates?: GateDto[];
}
