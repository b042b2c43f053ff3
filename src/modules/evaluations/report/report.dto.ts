import { ApiProperty } from '@nestjs/swagger';
import { Answer, Choice } from '#libs/http';
import { AnswerRecordDto } from '../records/case-result.dto.js';
import { EvaluationJob } from '../records/job.dto.js';

export const REPORT_FORMATS = ['html', 'json', 'csv', 'junit'] as const;
export type ReportFormat = (typeof REPORT_FORMATS)[number];

/** Format of a report. */
export class ReportQuery {
  /**
   * Format of the report. `html`: one page that needs no network and no scripts. `json`: an `EvaluationReport`. `csv`: a row for each case and
   * variant; a text that a spreadsheet would take for a formula begins with an apostrophe. `junit`: a suite of the gates, then one for each
   * variant.
   */
  @Choice(REPORT_FORMATS, { query: true, default: 'html' })
  format: ReportFormat = 'html';
}

/** Figures of a case under a variant, without the results of the search. */
export class CaseScore {
  /** Name of the variant. */
  variant!: string;

  /** Value of each metric; null where the metric does not apply to the case. */
  @ApiProperty({ type: 'object', additionalProperties: { type: 'number', nullable: true } })
  metrics!: Record<string, number | null>;

  /** Duration of the search, in milliseconds. */
  @Answer.Decimal({ min: 0 })
  latency_ms!: number;

  /** Code of the cause why nothing relevant was found; null when something was found. */
  @Answer.Text({ nullable: true })
  miss_code!: string | null;

  /** Code of the error that made the search fail; null when it succeeded. */
  @Answer.Text({ nullable: true })
  error_code!: string | null;

  /** Outcome of the chat; null where the variant has no `chat`, or the search failed. */
  @Answer.Nested(AnswerRecordDto, { nullable: true })
  answer!: AnswerRecordDto | null;
}

/** A case of a report. */
export class CaseReport {
  /** Position of the case, from 0. */
  @Answer.Count()
  case!: number;

  /** Question of the case. */
  query!: string;

  /** Tags of the case. */
  @Answer.Texts()
  tags!: string[];

  /** Whether the datasets contain an answer. */
  @Answer.Flag()
  answerable!: boolean;

  /** Figures of the case, one entry for each variant in the order of the variants. */
  @Answer.NestedList(CaseScore)
  variants!: CaseScore[];
}

/** A completed evaluation with the figures of every case. */
export class EvaluationReport {
  /** The evaluation with its summary. */
  @Answer.Nested(EvaluationJob)
  job!: EvaluationJob;

  /** The cases, in their order. */
  @Answer.NestedList(CaseReport)
  cases!: CaseReport[];
}
