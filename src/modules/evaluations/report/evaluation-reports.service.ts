import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#libs/tenancy';
import type { ReportFormat } from './report.dto.js';
import { evaluationErrors } from '../evaluations.errors.js';
import { EvaluationJobsRepository } from '../records/evaluation-jobs.repository.js';
import { EvaluationJobsService } from '../jobs/evaluation-jobs.service.js';
import { EvaluationResultsRepository } from '../jobs/evaluation-results.repository.js';
import { JobValues } from '../jobs/job-values.service.js';
import { toJob } from '../jobs/job-views.js';
import { reportCsv } from './report-csv.js';
import { reportJson } from './report-json.js';
import { reportJunit } from './report-junit.js';
import { reportPage } from './report-page.js';
import type { ReportContent } from './report-content.js';

interface FormatDefinition {
  readonly write: (content: ReportContent) => Iterable<string>;
  readonly mediaType: string;
  readonly extension: string;
}

const FORMATS: Readonly<Record<ReportFormat, FormatDefinition>> = {
  html: { write: reportPage, mediaType: 'text/html; charset=utf-8', extension: 'html' },
  json: { write: reportJson, mediaType: 'application/json; charset=utf-8', extension: 'json' },
  csv: { write: reportCsv, mediaType: 'text/csv; charset=utf-8', extension: 'csv' },
  junit: { write: reportJunit, mediaType: 'application/xml; charset=utf-8', extension: 'xml' },
};

/** A report, written piece by piece. */
export interface WrittenReport {
  readonly pieces: Iterable<string>;
  readonly mediaType: string;
  readonly fileName: string;
}

/** Reports of completed evaluations. */
@Injectable()
export class EvaluationReports {
  constructor(
    private readonly evaluations: EvaluationJobsService,
    private readonly jobs: EvaluationJobsRepository,
    private readonly results: EvaluationResultsRepository,
    private readonly values: JobValues,
  ) {}

  /** @throws `evaluations.job_not_found`, `evaluations.not_completed` */
  async write(ctx: RequestContext, id: string, format: ReportFormat): Promise<WrittenReport> {
    const row = await this.evaluations.requireSettled(ctx, id);
    if (row.status !== 'completed' || row.summary === null)
      throw evaluationErrors.not_completed({ status: row.status });
    const cases = await this.jobs.casesOf(ctx, row.id);
    const scores = await this.results.listScores(ctx, row.id);
    const { pairs } = await this.values.of(ctx, row, cases, scores);
    const { write, mediaType, extension } = FORMATS[format];
    const pieces = write({ job: toJob(row), summary: row.summary, cases, scores, pairs });
    return { pieces, mediaType, fileName: `evaluation-${row.id}.${extension}` };
  }
}
