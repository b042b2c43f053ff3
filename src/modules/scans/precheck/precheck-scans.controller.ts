import { Controller, Get, Headers, HttpCode, Param, Post, Query, Req, Res } from '@nestjs/common';
import {
  ApiAcceptedResponse,
  ApiBody,
  ApiConflictResponse,
  ApiConsumes,
  ApiExtraModels,
  ApiHeader,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { LongAnswers, NeedsSpace, RateLimit, WithoutIdempotency, type LongAnswer } from '#libs/http';
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

/** What ingestion would make of files, before it does. */
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
   * @remarks The latest completed one, the one under way, and how near predictions were to what was ingested afterwards.
   */
  @Get()
  @Permit('datasets:read')
  @ApiOperation({ operationId: 'getDatasetPrecheck' })
  overview(@Ctx() ctx: RequestContext, @Param('id') id: string): Promise<DatasetPrecheck> {
    return this.scans.overview(ctx, id);
  }

  /**
   * Suggest an ingestion policy.
   * @remarks From the files of the latest completed precheck: the whole policy, and why, field by field.
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
   * @remarks Parses and chunks files as their ingestion would, embeds and writes nothing. With a JSON body, or none: documents that wait,
   * or those that are named. With a form: up to 20 sample files in the field `files`, which are removed when the scan ends. One at a
   * time for a dataset: `scans.already_running` names the one that is under way. `Idempotency-Key` compares the content of the files.
   */
  @Post('scans')
  @NeedsSpace()
  @HttpCode(202)
  @Permit('scans:run')
  @RateLimit('upload')
  @WithoutIdempotency({ handledByRoute: true })
  @ApiOperation({ operationId: 'startPrecheckScan' })
  @ApiConsumes('application/json', 'multipart/form-data')
  @ApiBody(PRECHECK_BODY)
  @ApiAcceptedResponse({ type: PrecheckScanRun })
  @ApiConflictResponse({ description: 'A precheck of the dataset is under way.' })
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
   * @remarks How far it is, and for each file a verdict with its checks and what ingestion would make of it.
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
   * `scan.failed` (a cancelled scan too). `Last-Event-ID`, or `after`, resumes behind an event. With `Accept: application/json` the same
   * events as a list.
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
   * @remarks `pending` or `running` → `cancelled`; its samples are removed. One that has ended is `scans.ended`.
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
