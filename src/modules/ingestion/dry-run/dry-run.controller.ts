import { Body, Controller, HttpCode, Param, Post, Res } from '@nestjs/common';
import { ApiConflictResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { NeedsSpace, callerSignal, WithoutIdempotency } from '#libs/http';
import { Ctx, Permit, type RequestContext } from '#libs/tenancy';
import { DryRunService } from './dry-run.service.js';
import { DryRunRequest, DryRunResult } from './dry-run.dto.js';

@ApiTags('Ingestion policy')
@Controller('datasets/:id/ingestion-policy')
export class DryRunController {
  constructor(private readonly trials: DryRunService) {}

  /**
   * Try an ingestion policy.
   * @remarks Returns the chunks that the policy would make of stored texts, and those that searches show now. Nothing is stored. `warnings`
   * names effects that can be seen only when the documents are parsed again. For an archive whose files are documents, the policy is tried
   * on the files. Quarantined documents need `governance:read`.
   */
  @Post('dry-run')
  @NeedsSpace()
  @HttpCode(200)
  @Permit('documents:read')
  @WithoutIdempotency()
  @ApiOperation({ operationId: 'tryIngestionPolicy' })
  @ApiConflictResponse({ description: 'A document has no text yet.' })
  run(
    @Ctx() ctx: RequestContext,
    @Param('id') id: string,
    @Body() request: DryRunRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<DryRunResult> {
    return this.trials.run(ctx, id, request, callerSignal(reply));
  }
}
