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
  /** Only those that search this dataset. */
  @IsOptional()
  @IsUUID()
  dataset_id?: string;

  /** Only those in this state. */
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
  /** Only events after this one. `Last-Event-ID` says the same. */
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
  /** Searches to be made: cases times variants. */
  @ApiProperty(COUNT)
  steps!: number;

  /** Searches that were made. */
  @ApiProperty(COUNT)
  steps_done!: number;
}

/** Why an evaluation failed. */
export class JobError {
  /** Stable code. */
  code!: string;

  /** What happened. */
  detail!: string;
}

/** An evaluation without its figures. */
export class EvaluationJobHead {
  /** Its id. */
  @ApiProperty({ format: 'uuid' })
  id!: string;

  /** What it is called. */
  name!: string;

  /** `pending`, `running`, then one of the others. */
  @ApiProperty({ enum: JOB_STATUSES })
  status!: JobStatus;

  /** How far it is. */
  @ApiProperty({ type: JobProgress })
  progress!: JobProgress;

  /** Of all gates together; null without gates, and before it is completed. */
  @ApiProperty({ enum: VERDICTS, nullable: true })
  verdict!: Verdict | null;

  /** The datasets that are searched. */
  @ApiProperty({ type: [String], format: 'uuid' })
  dataset_ids!: string[];

  /** The case set; null for cases of its own. */
  @ApiProperty({ type: String, format: 'uuid', nullable: true })
  case_set_id!: string | null;

  /** Its version. */
  @ApiProperty({ type: 'integer', minimum: 1, nullable: true })
  case_set_version!: number | null;

  /** The evaluation that it is compared with. */
  @ApiProperty({ type: String, format: 'uuid', nullable: true })
  baseline_job_id!: string | null;

  /** How many cases it has. */
  @ApiProperty(COUNT)
  case_count!: number;

  /** Approved cases of the set that were left out, because their text does not stand in their document any more. */
  @ApiProperty(COUNT)
  outdated_cases!: number;

  /** Why it failed; null when it did not. */
  @ApiProperty({ type: JobError, nullable: true })
  error!: JobError | null;

  /** Who started it. */
  @ApiProperty({ type: String, format: 'uuid', nullable: true })
  created_by!: string | null;

  /** When it was started. */
  @ApiProperty({ format: 'date-time' })
  created_at!: string;

  /** When work on it began. */
  @ApiProperty(TIME)
  started_at!: string | null;

  /** When it ended. */
  @ApiProperty(TIME)
  ended_at!: string | null;
}

/** An evaluation. */
export class EvaluationJob extends EvaluationJobHead {
  /** Ways of searching and answering that are compared. */
  @ApiProperty({ type: [VariantDto] })
  variants!: VariantDto[];

  /** Its metrics at each `k`. */
  @ApiProperty({ type: [String], example: ['hit_rate@10', 'ndcg@10'] })
  metrics!: string[];

  /** What the metrics must reach. */
  @ApiProperty({ type: [GateDto] })
  gates!: GateDto[];

  /** What it found; null before it is completed. */
  @ApiProperty({ type: JobSummaryDto, nullable: true })
  summary!: JobSummaryDto | null;
}

/** A page of evaluations. */
export class EvaluationJobPage {
  /** The evaluations of this page. */
  @ApiProperty({ type: [EvaluationJobHead] })
  items!: EvaluationJobHead[];

  /** How many match in all. */
  @ApiProperty(COUNT)
  total!: number;

  /** How many were left out at the beginning. */
  @ApiProperty(COUNT)
  skip!: number;

  /** How many there are at most. */
  @ApiProperty(COUNT)
  limit!: number;
}

/** Something that happened to an evaluation. */
export class EvaluationEventDto {
  /** Its number, from 1. */
  @ApiProperty({ type: 'integer', minimum: 1 })
  id!: number;

  /** `evaluation.started`, `.progress`, then `.completed`, `.failed` or `.cancelled`. */
  type!: string;

  /** More about it. */
  @ApiProperty({ type: 'object', additionalProperties: true })
  data!: JsonObject;

  /** When. */
  @ApiProperty({ format: 'date-time' })
  at!: string;
}

/** Events in their order. */
export class EvaluationEventList {
  /** At most 500. */
  @ApiProperty({ type: [EvaluationEventDto] })
  items!: EvaluationEventDto[];
}

/** What a metric says. */
export class MetricInfo {
  /** Its name. */
  name!: string;

  /** `ranking`: of the results of a search, at each `k`. `answer`: of the answer of a chat. */
  @ApiProperty({ enum: METRIC_KINDS })
  kind!: MetricKind;

  /** In words. */
  definition!: string;

  /** As a formula, for one case. */
  formula!: string;

  /** Where the definition comes from. */
  source!: string;

  /** The least and the greatest value that there can be; more is better. */
  @ApiProperty({ type: [Number], example: [0, 1] })
  range!: number[];
}

/** All metrics. */
export class MetricList {
  /** The metrics. */
  @ApiProperty({ type: [MetricInfo] })
  items!: MetricInfo[];
}
