import { Readable } from 'node:stream';
import { Controller, Get, Param, Query, Res, StreamableFile } from '@nestjs/common';
import {
  ApiConflictResponse,
  ApiExtraModels,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
  getSchemaPath,
} from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { AnswerHeaders } from '#libs/http';
import { Ctx, Permit, type RequestContext } from '#libs/tenancy';
import { EvaluationReport, ReportQuery } from './report.dto.js';
import { EvaluationReports } from './evaluation-reports.service.js';
import { SERVED_POLICY } from './report-style.js';

const TEXT = { schema: { type: 'string' as const } };

@ApiTags('Evaluations')
@Controller('evaluations/jobs/:job_id/report')
export class EvaluationReportController {
  constructor(private readonly reports: EvaluationReports) {}

  /**
   * Read the report of an evaluation.
   * @remarks The report is a page of HTML with plots and their tables, which needs no network and no scripts and can be opened from disk, or
   * JSON, CSV or JUnit XML. In JUnit XML only failed gates, and the cases that count against them, are failures. An inconclusive gate is skipped.
   * 409 until the evaluation is completed.
   */
  @Get()
  @Permit('datasets:read')
  @AnswerHeaders('Content-Disposition')
  @ApiOperation({ operationId: 'getEvaluationReport' })
  @ApiConflictResponse({ description: 'The evaluation is not completed.' })
  @ApiExtraModels(EvaluationReport)
  @ApiOkResponse({
    description: 'The report in the requested format.',
    content: {
      'text/html': TEXT,
      'application/json': { schema: { $ref: getSchemaPath(EvaluationReport) } },
      'text/csv': TEXT,
      'application/xml': TEXT,
    },
  })
  async read(
    @Ctx() ctx: RequestContext,
    @Param('job_id') id: string,
    @Query() { format }: ReportQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<StreamableFile> {
    const { pieces, mediaType, fileName } = await this.reports.write(ctx, id, format);
    const kind = format === 'csv' || format === 'junit' ? 'attachment' : 'inline';
    if (format === 'html') void reply.header('Content-Security-Policy', SERVED_POLICY);
    return new StreamableFile(Readable.from(pieces, { objectMode: false }), {
      type: mediaType,
      disposition: `${kind}; filename="${fileName}"`,
    });
  }
}
