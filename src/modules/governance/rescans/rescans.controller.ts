import { Body, Controller, Get, HttpCode, Param, Post } from '@nestjs/common';
import { ApiConflictResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Ctx, Permit, type RequestContext } from '#libs/tenancy';
import { GovernanceRescan, StartRescanRequest } from './rescan.dto.js';
import { RescansService } from './rescans.service.js';

@ApiTags('Governance')
@Controller('governance/rescans')
export class RescansController {
  constructor(private readonly rescans: RescansService) {}

  /**
   * Look for sensitive content.
   * @remarks In the kept text, names, metadata and tags of all documents of a dataset but deleted and quarantined ones, with all detectors,
   * whatever the policy names; nothing else changes. It goes on after this answers; read it until it is `completed`, and its findings with
   * `GET /governance/findings?rescan_id=`, where `action` is what the present policy does with them. One at a time for a dataset:
   * `governance.rescan_running` names the one that is under way. The newest 20 that have ended are kept.
   */
  @Post()
  @HttpCode(202)
  @Permit('governance:read', { outsider: 'not_found' })
  @ApiOperation({ operationId: 'startRescan' })
  @ApiConflictResponse({ description: 'A rescan of the dataset is under way.' })
  start(@Ctx() ctx: RequestContext, @Body() request: StartRescanRequest): Promise<GovernanceRescan> {
    return this.rescans.start(ctx, request);
  }

  /**
   * Read a rescan.
   * @remarks How far it is and how often what was found so far.
   */
  @Get(':rescan_id')
  @Permit('governance:read')
  @ApiOperation({ operationId: 'getRescan' })
  read(@Ctx() ctx: RequestContext, @Param('rescan_id') id: string): Promise<GovernanceRescan> {
    return this.rescans.read(ctx, id);
  }

  /**
   * Cancel a rescan.
   * @remarks What it has found stays. Cancelling it again changes nothing.
   */
  @Post(':rescan_id/cancel')
  @HttpCode(200)
  @Permit('governance:read')
  @ApiOperation({ operationId: 'cancelRescan' })
  @ApiConflictResponse({ description: 'It has ended (`governance.rescan_ended`).' })
  cancel(@Ctx() ctx: RequestContext, @Param('rescan_id') id: string): Promise<GovernanceRescan> {
    return this.rescans.cancel(ctx, id);
  }
}
