import { Controller, Get, Headers, HttpCode, Param, Post, Query, Req, Res } from '@nestjs/common';
import {
  ApiAcceptedResponse,
  ApiBody,
  ApiConflictResponse,
  ApiExtraModels,
  ApiHeader,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { LongAnswers, NeedsSpace, RateLimit, TakesForm, WithoutIdempotency, type LongAnswer } from '#libs/http';
import { Ctx, Permit, type RequestContext } from '#libs/tenancy';
import {
  DatasetPrecheck,
  PrecheckEventList,
  PrecheckScanDetail,
  PrecheckScanRun,
  ScanEventsQuery,
  SuggestedPolicy,
} from './precheck.dto.js';
import { answerEvents } from './precheck-events.js';
import { PrecheckForm } from './precheck-form.service.js';
import { PrecheckScansService } from './precheck-scans.service.js';
import { PRECHECK_BODY, PRECHECK_EVENTS } from './precheck.openapi.js';

/** Prechecks: what ingestion would make of files. */
@ApiTags('Scans')
@ApiExtraModels(PrecheckEventList)
@Controller('datasets/:id/precheck')
export class PrecheckScansController {
  constructor(
    private readonly scans: PrecheckScansService,
    private readonly form: PrecheckForm,
    private readonly answers: LongAnswers,
  ) {}

  /**
   * Read the prechecks of a dataset.
   * @remarks Returns the latest completed precheck, the running one, and the accuracy of predictions, compared with later ingestions.
   */
  @Get()
  @Permit('datasets:read')
  @ApiOperation({ operationId: 'getDatasetPrecheck' })
  overview(@Ctx() ctx: RequestContext, @Param('id') id: string): Promise<DatasetPrecheck> {
    return this.scans.overview(ctx, id);
  }

  /**
   * Suggest an ingestion policy.
   * @remarks Suggests a policy for the files of the latest completed precheck, with a reason for every suggested field.
   */
  @Get('suggested-policy')
  @Permit('datasets:read')
  @ApiOperation({ operationId: 'suggestIngestionPolicy' })
  @ApiConflictResponse({ description: 'No precheck of the dataset has completed.' })
  suggest(@Ctx() ctx: RequestContext, @Param('id') id: string): Promise<SuggestedPolicy> {
    return this.scans.suggest(ctx, id);
  }

  /**
   * Start a precheck.
   * @remarks Parses and chunks files like an ingestion, but embeds and stores nothing. A JSON body selects documents by `document_ids`;
   * without `document_ids` or without a body, the precheck reads the documents that wait for ingestion. A form sends up to 20 sample files
   * in the field `files`, which are removed when the scan ends. A dataset can have one running precheck; `scans.already_running` names it.
   * `Idempotency-Key` compares the content of the files.
   */
  @Post('scans')
  @NeedsSpace()
  @HttpCode(202)
  @Permit('scans:run')
  @RateLimit('upload')
  @WithoutIdempotency({ handledByRoute: true })
  @ApiOperation({ operationId: 'startPrecheckScan' })
  @TakesForm('application/json')
  @ApiBody(PRECHECK_BODY)
  @ApiAcceptedResponse({ type: PrecheckScanRun })
  @ApiConflictResponse({ description: 'A precheck of the dataset is running.' })
  async start(
    @Ctx() ctx: RequestContext,
    @Param('id') id: string,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<PrecheckScanRun> {
    const { run, replayed } = await this.form.start(ctx, id, request);
    if (replayed) void reply.header('Idempotency-Replayed', 'true');
    return run;
  }

  /**
   * Read a precheck.
   * @remarks Returns the progress and, for each file, the verdict, the checks, and a prediction of the ingestion.
   */
  @Get('scans/:scan_run_id')
  @Permit('datasets:read')
  @ApiOperation({ operationId: 'getPrecheckScan' })
  read(
    @Ctx() ctx: RequestContext,
    @Param('id') id: string,
    @Param('scan_run_id') scanRunId: string,
  ): Promise<PrecheckScanDetail> {
    return this.scans.read(ctx, id, scanRunId);
  }

  /**
   * Follow a precheck.
   * @remarks Server-sent events until the scan has ended: `scan.started`, `scan.file`, `scan.finding`, `scan.progress`, `scan.completed`,
   * `scan.failed` (also for a cancelled scan). `Last-Event-ID` or `after` resumes after an event. With `Accept: application/json`, the same
   * events are returned as a list.
   */
  @Get('scans/:scan_run_id/events')
  @Permit('datasets:read')
  @ApiOperation({ operationId: 'followPrecheckScan' })
  @ApiHeader({ name: 'Last-Event-ID', required: false, description: 'Id of the last event that was received.' })
  @ApiOkResponse(PRECHECK_EVENTS)
  async events(
    @Ctx() ctx: RequestContext,
    @Param('id') id: string,
    @Param('scan_run_id') scanRunId: string,
    @Query() { after }: ScanEventsQuery,
    @Headers('accept') accept: string | undefined,
    @Headers('last-event-id') lastEventId: string | undefined,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const read = (from: number): Promise<PrecheckEventList> => this.scans.events(ctx, id, scanRunId, from);
    const open = (): Promise<LongAnswer> =>
      this.answers.openStream(request, reply, (now) => this.scans.require(now, id, scanRunId));
    await answerEvents(reply, read, { accept, lastEventId, after }, open);
  }

  /**
   * Cancel a precheck.
   * @remarks `pending` or `running` → `cancelled`; the sample files are removed. A precheck that has ended is `scans.ended`.
   */
  @Post('scans/:scan_run_id/cancel')
  @HttpCode(200)
  @Permit('scans:run')
  @ApiOperation({ operationId: 'cancelPrecheckScan' })
  @ApiConflictResponse({ description: 'The scan has ended.' })
  cancel(
    @Ctx() ctx: RequestContext,
    @Param('id') id: string,
    @Param('scan_run_id') scanRunId: string,
  ): Promise<PrecheckScanRun> {
    return this.scans.cancel(ctx, id, scanRunId);
  }
}
