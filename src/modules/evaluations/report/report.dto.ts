import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsOptional } from 'class-validator';
import { AnswerRecordDto } from '../records/case-result.dto.js';
import { EvaluationJob } from '../records/job.dto.js';

export const REPORT_FORMATS = ['html', 'json', 'csv', 'junit'] as const;
export type ReportFormat = (typeof REPORT_FORMATS)[number];

/** Which form a report has. */
export class ReportQuery {
  /**
   * Form of the report. `html`: one page without network access and scripts. `json`: an `EvaluationReport`. `csv`: a row for each case and
   * variant; a text that a spreadsheet would take for a formula begins with an apostrophe. `junit`: a suite of the gates, then one for each
   * variant.
   */
  @ApiPropertyOptional({ enum: REPORT_FORMATS, default: 'html' })
  @IsOptional()
  @IsIn(REPORT_FORMATS)
  format: ReportFormat = 'html';
}

/** What a case gave under a variant, without its results. */
export class CaseScore {
  /** Name of the variant. */
  variant!: string;

  /** Value of each metric; null where the case has none. */
  @ApiProperty({ type: 'object', additionalProperties: { type: 'number', nullable: true } })
  metrics!: Record<string, number | null>;

  /** Duration of the search, in milliseconds. */
  @ApiProperty({ type: Number, minimum: 0 })
  latency_ms!: number;

  /** Code of the cause for which nothing relevant was found; null when something was. */
  @ApiProperty({ type: String, nullable: true })
  miss_code!: string | null;

  /** Code of the error that made the search fail; null when it succeeded. */
  @ApiProperty({ type: String, nullable: true })
  error_code!: string | null;

  /** What the chat answered; null where the variant has no `chat`, or the search failed. */
  @ApiProperty({ type: AnswerRecordDto, nullable: true })
  answer!: AnswerRecordDto | null;
}

/** A case of a report. */
export class CaseReport {
  /** Position of the case, from 0. */
  @ApiProperty({ type: 'integer', minimum: 0 })
  case!: number;

  /** Question of the case. */
  query!: string;

  /** Tags of the case. */
  @ApiProperty({ type: [String] })
  tags!: string[];

  /** Whether the datasets contain an answer. */
  @ApiProperty({ type: Boolean })
  answerable!: boolean;

  /** Figures by variant, in their order. */
  @ApiProperty({ type: [CaseScore] })
  variants!: CaseScore[];
}

/** A completed evaluation with what every case gave. */
export class EvaluationReport {
  /** The evaluation with its summary. */
  @ApiProperty({ type: EvaluationJob })
  job!: EvaluationJob;

  /** The cases, in their order. */
  @ApiProperty({ type: [CaseReport] })
  cases!: CaseReport[];
}
