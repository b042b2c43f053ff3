import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { AccountId, DatasetId, JsonObject, TenantId } from '#libs/common';
import type { EvaluationCase } from '../cases/evaluation-case.js';
import type { AnswerRecord, JobSpec, MissRecord, RankedResult } from '../scoring/job-spec.js';
import type { JobSummary, Verdict } from '../scoring/job-summary.js';

export const JOB_STATUSES = ['pending', 'running', 'completed', 'failed', 'cancelled'] as const;
export type JobStatus = (typeof JOB_STATUSES)[number];

/** Sequence number of the content of a dataset when the job began; bigint as text. */
export type ContentMarks = Readonly<Record<string, string>>;

/** An evaluation: its request, progress and summary. */
@Entity('evaluation_jobs')
@Index('evaluation_jobs_listed', { synchronize: false })
@Check('evaluation_jobs_status_check', "status IN ('pending', 'running', 'completed', 'failed', 'cancelled')")
@Check('evaluation_jobs_verdict_check', "verdict IN ('pass', 'fail', 'inconclusive')")
export class EvaluationJobEntity {
  @PrimaryColumn('uuid')
  readonly id!: string;

  @Column('uuid')
  readonly tenant_id!: TenantId;

  @Column('text')
  readonly name!: string;

  @Column('text')
  readonly status!: JobStatus;

  @Column('uuid', { array: true })
  readonly dataset_ids!: DatasetId[];

  /** The datasets of the job, its case set and its baseline; callers that do not see all of them do not see the job. */
  @Column('uuid', { array: true })
  readonly shown_with_dataset_ids!: DatasetId[];

  @Column('uuid', { nullable: true })
  readonly case_set_id!: string | null;

  @Column('integer', { nullable: true })
  readonly case_set_version!: number | null;

  @Column('uuid', { nullable: true })
  readonly baseline_job_id!: string | null;

  @Column('jsonb')
  readonly spec!: JobSpec;

  /** Null in the place of a case that was generated from a document; such a case has a row of its own. */
  @Column('jsonb')
  readonly cases!: readonly (EvaluationCase | null)[];

  @Column('integer')
  readonly case_count!: number;

  /** Approved cases of the set that were left out, because their text is not in their document any more. */
  @Column('integer', { default: 0 })
  readonly outdated_cases!: number;

  /** Searches to be made: cases times variants. */
  @Column('integer')
  readonly steps!: number;

  @Column('integer', { default: 0 })
  readonly steps_done!: number;

  @Column('uuid', { nullable: true })
  readonly task_id!: string | null;

  @Column('jsonb', { nullable: true })
  readonly contents!: ContentMarks | null;

  @Column('jsonb', { nullable: true })
  readonly summary!: JobSummary | null;

  @Column('text', { nullable: true })
  readonly verdict!: Verdict | null;

  @Column('text', { nullable: true })
  readonly error_code!: string | null;

  @Column('text', { nullable: true })
  readonly error!: string | null;

  @Column('uuid', { nullable: true })
  readonly created_by!: AccountId | null;

  @Column('timestamp with time zone', { precision: 3, default: () => 'now()' })
  readonly created_at!: Date;

  @Column('timestamp with time zone', { precision: 3, nullable: true })
  readonly started_at!: Date | null;

  @Column('timestamp with time zone', { precision: 3, nullable: true })
  readonly ended_at!: Date | null;
}

/** Result of one case under one variant. Holds no text of documents. */
@Entity('evaluation_results')
export class EvaluationResultEntity {
  @Column('uuid')
  readonly tenant_id!: TenantId;

  @ForeignKey(() => EvaluationJobEntity, { name: 'evaluation_results_job_id_fkey', onDelete: 'CASCADE' })
  @PrimaryColumn('uuid')
  readonly job_id!: string;

  @PrimaryColumn('integer')
  readonly variant!: number;

  @PrimaryColumn('integer')
  readonly ordinal!: number;

  @Column('jsonb')
  readonly metrics!: Readonly<Record<string, number | null>>;

  @Column('jsonb')
  readonly ranked!: readonly RankedResult[];

  @Column('double precision')
  readonly latency_ms!: number;

  @Column('text', { nullable: true })
  readonly fingerprint!: string | null;

  @Column('jsonb', { nullable: true })
  readonly miss!: MissRecord | null;

  @Column('text', { nullable: true })
  readonly error_code!: string | null;

  /** Null where the variant does not chat. */
  @Column('jsonb', { nullable: true })
  readonly answer!: AnswerRecord | null;
}

/** An event of a job; numbered from 1. */
@Entity('evaluation_events')
export class EvaluationEventEntity {
  @Column('uuid')
  readonly tenant_id!: TenantId;

  @ForeignKey(() => EvaluationJobEntity, { name: 'evaluation_events_job_id_fkey', onDelete: 'CASCADE' })
  @PrimaryColumn('uuid')
  readonly job_id!: string;

  @PrimaryColumn('integer')
  readonly id!: number;

  @Column('text')
  readonly type!: string;

  @Column('jsonb')
  readonly data!: JsonObject;

  @Column('timestamp with time zone', { precision: 3, default: () => 'now()' })
  readonly created_at!: Date;
}
