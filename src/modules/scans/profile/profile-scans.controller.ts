import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiBody, ApiConflictResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Ctx, Permit, type RequestContext } from '#libs/tenancy';
import {
  DatasetProfile,
  ListProfileScansQuery,
  ProfileDiff,
  ProfileDiffQuery,
  ProfileScanDetail,
  ProfileScanPage,
  ProfileScanRun,
  StartProfileScanRequest,
} from '../runs/profile-scan.dto.js';
import { ProfileScansService } from './profile-scans.service.js';

/** What is in a dataset. */
@ApiTags('Scans')
@Controller('datasets/:id/profile')
export class ProfileScansController {
  constructor(private readonly scans: ProfileScansService) {}

  /**
   * Read the profile of a dataset.
   * @remarks What its latest completed profile scan found, and the scan that is under way. Documents that were deleted or quarantined
   * since are not named.
   */
  @Get()
  @Permit('datasets:read')
  @ApiOperation({ operationId: 'getDatasetProfile' })
  overview(@Ctx() ctx: RequestContext, @Param('id') id: string): Promise<DatasetProfile> {
    return this.scans.overview(ctx, id);
  }

  /**
   * Start a profile scan.
   * @remarks Looks at all documents but deleted and quarantined ones: sizes, tokens, languages, types, duplicates, what is empty, stale
   * or damaged, and how complete metadata is. It goes on after this answers; read it until it is `completed`. One at a time for a
   * dataset: `scans.already_running` names the one that is under way. The body may be left out.
   */
  @Post('scans')
  @HttpCode(202)
  @Permit('scans:run')
  @ApiOperation({ operationId: 'startProfileScan' })
  @ApiBody({ type: StartProfileScanRequest, required: false })
  @ApiConflictResponse({ description: 'A profile scan of the dataset is under way.' })
  start(
    @Ctx() ctx: RequestContext,
    @Param('id') id: string,
    @Body() request: StartProfileScanRequest,
  ): Promise<ProfileScanRun> {
    return this.scans.start(ctx, id, request);
  }

  /**
   * List profile scans.
   * @remarks The newest first. The newest 50 that have ended are kept.
   */
  @Get('scans')
  @Permit('datasets:read')
  @ApiOperation({ operationId: 'listProfileScans' })
  list(
    @Ctx() ctx: RequestContext,
    @Param('id') id: string,
    @Query() query: ListProfileScansQuery,
  ): Promise<ProfileScanPage> {
    return this.scans.list(ctx, id, query);
  }

  /**
   * Read a profile scan.
   * @remarks How far it is, and what it found once it is `completed`.
   */
  @Get('scans/:scan_run_id')
  @Permit('datasets:read')
  @ApiOperation({ operationId: 'getProfileScan' })
  read(
    @Ctx() ctx: RequestContext,
    @Param('id') id: string,
    @Param('scan_run_id') scanRunId: string,
  ): Promise<ProfileScanDetail> {
    return this.scans.read(ctx, id, scanRunId);
  }

  /**
   * Compare two profile scans.
   * @remarks Every number of the summary that differs between the scan that `with` names (by default the one before) and this one,
   * and what differs in their configurations. Both must be `completed`.
   */
  @Get('scans/:scan_run_id/diff')
  @Permit('datasets:read')
  @ApiOperation({ operationId: 'diffProfileScans' })
  @ApiConflictResponse({ description: 'One of the scans has not completed, or there is none before.' })
  diff(
    @Ctx() ctx: RequestContext,
    @Param('id') id: string,
    @Param('scan_run_id') scanRunId: string,
    @Query() query: ProfileDiffQuery,
  ): Promise<ProfileDiff> {
    return this.scans.diff(ctx, id, scanRunId, query.with);
  }

  /**
   * Cancel a profile scan.
   * @remarks `pending` or `running` → `cancelled`; the work on it stops soon. One that has ended is `scans.ended`.
   */
  @Post('scans/:scan_run_id/cancel')
  @HttpCode(200)
  @Permit('scans:run')
  @ApiOperation({ operationId: 'cancelProfileScan' })
  @ApiConflictResponse({ description: 'The scan has ended.' })
  cancel(
    @Ctx() ctx: RequestContext,
    @Param('id') id: string,
    @Param('scan_run_id') scanRunId: string,
  ): Promise<ProfileScanRun> {
    return this.scans.cancel(ctx, id, scanRunId);
  }
}
