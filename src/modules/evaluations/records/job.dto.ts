import { ApiProperty } from '@nestjs/swagger';
import { IsOptional, IsUUID } from 'class-validator';
import type { JsonObject } from '#libs/common';
import { Answer, Choice, Integer, ListQueryDto, PageOf } from '#libs/http';
import { JOB_STATUSES, type JobStatus } from './evaluation-job.entity.js';
import { METRIC_KINDS, type MetricKind } from '../scoring/metric-catalogue.js';
import { VERDICTS, type Verdict } from '../scoring/job-summary.js';
import { JobSummaryDto } from './job-summary.dto.js';
import { GateDto } from './create-job.dto.js';
import { VariantDto } from '../cases/variant.dto.js';

export const JOB_ORDERS = ['created_at', '-created_at', 'name', '-name'] as const;
export type JobOrder = (typeof JOB_ORDERS)[number];

/** Filter and order of the evaluations. */
export class ListJobsQuery extends ListQueryDto {
  /** Only evaluations that search this dataset. */
  @IsOptional()
  @IsUUID()
  dataset_id?: string;

  /** Only evaluations in this state. */
  @Choice(JOB_STATUSES, { query: true })
  status?: JobStatus;

  /** Order of the rows; a minus sign means descending. Numbers within names count by their value: `Report 2` before `Report 10`. */
  @Choice(JOB_ORDERS, { query: true, default: '-created_at' })
  order_by: JobOrder = '-created_at';
}

/** Position from which events are read. */
export class ListEventsQuery {
  /** Number of an event; only later events are read. Has the same effect as the header `Last-Event-ID`. */
  @Integer({ query: true, min: 0, max: 1_000_000_000, default: 0 })
  after?: number;
}

/** How far an evaluation is. */
export class JobProgress {
  /** Number of searches to make: cases times variants. */
  @Answer.Count()
  steps!: number;

  /** Number of searches made. */
  @Answer.Count()
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
  @Answer.Uuid()
  id!: string;

  /** Name of the evaluation. */
  name!: string;

  /** State of the evaluation: `pending`, `running`, then one of the others. */
  @Answer.Choice(JOB_STATUSES)
  status!: JobStatus;

  /** Progress of the evaluation. */
  @Answer.Nested(JobProgress)
  progress!: JobProgress;

  /** Verdict of all gates together; null without gates, and until the evaluation is completed. */
  @Answer.Choice(VERDICTS, { nullable: true })
  verdict!: Verdict | null;

  /** Identifiers of the datasets that are searched. */
  @Answer.Uuids()
  dataset_ids!: string[];

  /** Identifier of the case set; null for cases given in the request. */
  @Answer.Uuid({ nullable: true })
  case_set_id!: string | null;

  /** Version of the case set; null for cases given in the request. */
  @Answer.Integer({ nullable: true, min: 1 })
  case_set_version!: number | null;

  /** Identifier of the evaluation that this one is compared with; null where there is none. */
  @Answer.Uuid({ nullable: true })
  baseline_job_id!: string | null;

  /** Number of cases in the evaluation. */
  @Answer.Count()
  case_count!: number;

  /** Number of approved cases of the set that were left out because their text is no longer in their document. */
  @Answer.Count()
  outdated_cases!: number;

  /** Why the evaluation failed; null unless it failed. */
  @Answer.Nested(JobError, { nullable: true })
  error!: JobError | null;

  /** Identifier of the account that started the evaluation; for one started with an API key, the account of the key. null for the service itself. */
  @Answer.Uuid({ nullable: true })
  created_by!: string | null;

  /** Time at which the evaluation was requested. */
  @Answer.Instant()
  created_at!: string;

  /** Time at which the evaluation began to run; null before. */
  @Answer.Instant({ nullable: true })
  started_at!: string | null;

  /** Time at which the evaluation ended; null before. */
  @Answer.Instant({ nullable: true })
  ended_at!: string | null;
}

/** An evaluation. */
export class EvaluationJob extends EvaluationJobHead {
  /** Variants that are compared. */
  @Answer.NestedList(VariantDto)
  variants!: VariantDto[];

  /** Names of the metrics; a metric of rankings is listed once for each `k`, such as `ndcg@10`. */
  @Answer.Texts({ example: ['hit_rate@10', 'ndcg@10'] })
  metrics!: string[];

  /** Conditions on the metrics. */
  @Answer.NestedList(GateDto)
  gates!: GateDto[];

  /** Figures of the evaluation; null until it is completed. */
  @Answer.Nested(JobSummaryDto, { nullable: true })
  summary!: JobSummaryDto | null;
}

/** A page of evaluations. */
export class EvaluationJobPage extends PageOf(EvaluationJobHead, {
  items: 'Evaluations of this page.',
  total: 'Number of evaluations that match.',
}) {}

/** Something that happened to an evaluation. */
export class EvaluationEventDto {
  /** Number of the event, from 1. */
  @Answer.Integer({ min: 1 })
  id!: number;

  /** Type of the event: `evaluation.started`, `.progress`, then `.completed`, `.failed` or `.cancelled`. */
  type!: string;

  /** Details of the event. */
  @Answer.Json()
  data!: JsonObject;

  /** Time of the event. */
  @Answer.Instant()
  at!: string;
}

/** Events in their order. */
export class EvaluationEventList {
  /** Events, oldest first, at most 500. */
  @Answer.NestedList(EvaluationEventDto)
  items!: EvaluationEventDto[];
}

/** Definition of a metric. */
export class MetricInfo {
  /** Name of the metric. */
  name!: string;

  /** What is measured. `ranking`: the results of a search, at each `k`. `answer`: the answer of a chat. */
  @Answer.Choice(METRIC_KINDS)
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
  @Answer.NestedList(MetricInfo)
  items!: MetricInfo[];
}
