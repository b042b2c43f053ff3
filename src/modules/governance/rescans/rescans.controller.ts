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
   * Start a rescan.
   * @remarks Looks for sensitive content in the canonical texts, names, metadata and tags of all documents of a dataset, except deleted and
   * quarantined ones, with all detectors, also those that the policy does not name. Documents are not changed. The rescan continues in the
   * background: read it until it is `completed`, and read its findings with `GET /governance/findings?rescan_id=`, where `action` is the
   * action of the present policy. A dataset has one rescan at a time; `governance.rescan_running` names the running one. The newest 20
   * ended rescans are kept.
   */
  @Post()
  @HttpCode(202)
  @Permit('governance:read', { outsider: 'not_found' })
  @ApiOperation({ operationId: 'startRescan' })
  @ApiConflictResponse({ description: 'A rescan of the dataset is running.' })
  start(@Ctx() ctx: RequestContext, @Body() request: StartRescanRequest): Promise<GovernanceRescan> {
    return this.rescans.start(ctx, request);
  }

  /**
   * Read a rescan.
   * @remarks Progress of the rescan, and the number of findings so far by kind.
   */
  @Get(':rescan_id')
  @Permit('governance:read')
  @ApiOperation({ operationId: 'getRescan' })
  read(@Ctx() ctx: RequestContext, @Param('rescan_id') id: string): Promise<GovernanceRescan> {
    return this.rescans.read(ctx, id);
  }

  /**
   * Cancel a rescan.
   * @remarks Findings that were made before stay. Cancelling again changes nothing.
   */
  @Post(':rescan_id/cancel')
  @HttpCode(200)
  @Permit('governance:read')
  @ApiOperation({ operationId: 'cancelRescan' })
  @ApiConflictResponse({ description: 'The rescan has already ended (`governance.rescan_ended`).' })
  cancel(@Ctx() ctx: RequestContext, @Param('rescan_id') id: string): Promise<GovernanceRescan> {
    return this.rescans.cancel(ctx, id);
  }
}
