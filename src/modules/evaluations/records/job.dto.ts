import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsInt, IsOptional, IsUUID, Max, Min } from 'class-validator';
import type { JsonObject } from '#libs/common';
import { ListQueryDto, QueryInteger } from '#libs/http';
import { JOB_STATUSES, type JobStatus } from './evaluation-job.entity.js';
import { METRIC_KINDS, type MetricKind } from '../scoring/metric-catalogue.js';
import { VERDICTS, type Verdict } from '../scoring/job-summary.js';
import { JobSummaryDto } from './job-summary.dto.js';
import { GateDto } from './create-job.dto.js';
import { VariantDto } from '../cases/variant.dto.js';

const COUNT = { type: 'integer', minimum: 0 } as const;
const TIME = { type: String, format: 'date-time', nullable: true } as const;

export const JOB_ORDERS = ['created_at', '-created_at', 'name', '-name'] as const;
export type JobOrder = (typeof JOB_ORDERS)[number];

/** Filter and order of the evaluations. */
export class ListJobsQuery extends ListQueryDto {
  /** Only evaluations that search this dataset. */
  @IsOptional()
  @IsUUID()
  dataset_id?: string;

  /** Only evaluations in this state. */
  @ApiPropertyOptional({ enum: JOB_STATUSES })
  @IsOptional()
  @IsIn(JOB_STATUSES)
  status?: JobStatus;

  /** Order of the rows; a minus sign means descending. */
  @ApiPropertyOptional({ enum: JOB_ORDERS, default: '-created_at' })
  @IsOptional()
  @IsIn(JOB_ORDERS)
  order_by: JobOrder = '-created_at';
}

/** From where events are read. */
export class ListEventsQuery {
  /** Number of an event: only later ones are read. Same as `Last-Event-ID`. */
  @ApiPropertyOptional({ type: 'integer', minimum: 0, maximum: 1_000_000_000, default: 0 })
  @IsOptional()
  @QueryInteger()
  @IsInt()
  @Min(0)
  @Max(1_000_000_000)
  after?: number;
}

/** How far an evaluation is. */
export class JobProgress {
  /** Number of searches to make: cases times variants. */
  @ApiProperty(COUNT)
  steps!: number;

  /** Number of searches made. */
  @ApiProperty(COUNT)
  steps_done!: number;
}

/** Why an evaluation failed. */
export class JobError {
  /** Stable error code. */
  code!: string;

  /** What happened. */
  detail!: string;
}

/** An evaluation without its figures. */
export class EvaluationJobHead {
  /** Identifier of the evaluation. */
  @ApiProperty({ format: 'uuid' })
  id!: string;

  /** Name of the evaluation. */
  name!: string;

  /** State of the evaluation: `pending`, `running`, then one of the others. */
  @ApiProperty({ enum: JOB_STATUSES })
  status!: JobStatus;

  /** Progress of the evaluation. */
  @ApiProperty({ type: JobProgress })
  progress!: JobProgress;

  /** Verdict of all gates together; null without gates, and until the evaluation is completed. */
  @ApiProperty({ enum: VERDICTS, nullable: true })
  verdict!: Verdict | null;

  /** Identifiers of the datasets that are searched. */
  @ApiProperty({ type: [String], format: 'uuid' })
  dataset_ids!: string[];

  /** Identifier of the case set; null for cases given in the request. */
  @ApiProperty({ type: String, format: 'uuid', nullable: true })
  case_set_id!: string | null;

  /** Version of the case set; null for cases given in the request. */
  @ApiProperty({ type: 'integer', minimum: 1, nullable: true })
  case_set_version!: number | null;

  /** Identifier of the evaluation to compare with; null where there is none. */
  @ApiProperty({ type: String, format: 'uuid', nullable: true })
  baseline_job_id!: string | null;

  /** Number of cases in the evaluation. */
  @ApiProperty(COUNT)
  case_count!: number;

  /** Number of approved cases of the set that were left out because their text is no longer in their document. */
  @ApiProperty(COUNT)
  outdated_cases!: number;

  /** Why the evaluation failed; null when it did not. */
  @ApiProperty({ type: JobError, nullable: true })
  error!: JobError | null;

  /** Identifier of the account that started it, for an API key its account; null for the service itself. */
  @ApiProperty({ type: String, format: 'uuid', nullable: true })
  created_by!: string | null;

  /** Time at which the evaluation was requested. */
  @ApiProperty({ format: 'date-time' })
  created_at!: string;

  /** Time at which it began to run; null before. */
  @ApiProperty(TIME)
  started_at!: string | null;

  /** Time at which it ended; null before. */
  @ApiProperty(TIME)
  ended_at!: string | null;
}

/** An evaluation. */
export class EvaluationJob extends EvaluationJobHead {
  /** Variants that are compared. */
  @ApiProperty({ type: [VariantDto] })
  variants!: VariantDto[];

  /** Names of the metrics, each at each `k`. */
  @ApiProperty({ type: [String], example: ['hit_rate@10', 'ndcg@10'] })
  metrics!: string[];

  /** Values that the metrics must reach. */
  @ApiProperty({ type: [GateDto] })
  gates!: GateDto[];

  /** Figures of the evaluation; null until it is completed. */
  @ApiProperty({ type: JobSummaryDto, nullable: true })
  summary!: JobSummaryDto | null;
}

/** A page of evaluations. */
export class EvaluationJobPage {
  /** Evaluations of this page. */
  @ApiProperty({ type: [EvaluationJobHead] })
  items!: EvaluationJobHead[];

  /** Number of evaluations that match. */
  @ApiProperty(COUNT)
  total!: number;

  /** Number of rows left out at the beginning. */
  @ApiProperty(COUNT)
  skip!: number;

  /** Maximum number of rows in a page. */
  @ApiProperty(COUNT)
  limit!: number;
}

/** Something that happened to an evaluation. */
export class EvaluationEventDto {
  /** Number of the event, from 1. */
  @ApiProperty({ type: 'integer', minimum: 1 })
  id!: number;

  /** Type of the event: `evaluation.started`, `.progress`, then `.completed`, `.failed` or `.cancelled`. */
  type!: string;

  /** Details of the event. */
  @ApiProperty({ type: 'object', additionalProperties: true })
  data!: JsonObject;

  /** Time of the event. */
  @ApiProperty({ format: 'date-time' })
  at!: string;
}

/** Events in their order. */
export class EvaluationEventList {
  /** Events, oldest first, at most 500. */
  @ApiProperty({ type: [EvaluationEventDto] })
  items!: EvaluationEventDto[];
}

/** What a metric says. */
export class MetricInfo {
  /** Name of the metric. */
  name!: string;

  /** What is measured. `ranking`: the results of a search, at each `k`. `answer`: the answer of a chat. */
  @ApiProperty({ enum: METRIC_KINDS })
  kind!: MetricKind;

  /** Definition in words. */
  definition!: string;

  /** Formula for one case. */
  formula!: string;

  /** Source of the definition. */
  source!: string;

  /** Lowest and highest possible value; higher is better. */
  @ApiProperty({ type: [Number], example: [0, 1] })
  range!: number[];
}

/** All metrics. */
export class MetricList {
  /** The metrics. */
  @ApiProperty({ type: [MetricInfo] })
  items!: MetricInfo[];
}
