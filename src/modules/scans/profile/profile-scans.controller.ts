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

/** Profile scans: a summary of what a dataset holds. */
@ApiTags('Scans')
@Controller('datasets/:id/profile')
export class ProfileScansController {
  constructor(private readonly scans: ProfileScansService) {}

  /**
   * Read the profile of a dataset.
   * @remarks Returns the latest completed profile scan with its summary, and the running one. Documents that have been deleted or
   * quarantined since the scan are not named.
   */
  @Get()
  @Permit('datasets:read')
  @ApiOperation({ operationId: 'getDatasetProfile' })
  overview(@Ctx() ctx: RequestContext, @Param('id') id: string): Promise<DatasetProfile> {
    return this.scans.overview(ctx, id);
  }

  /**
   * Start a profile scan.
   * @remarks Examines all documents except deleted and quarantined ones: sizes, tokens, languages, media types, duplicates, empty, stale
   * and damaged documents, and the completeness of metadata. The scan runs in the background; read it until it is `completed`. A dataset
   * can have one running profile scan; `scans.already_running` names it. The body is optional.
   */
  @Post('scans')
  @HttpCode(202)
  @Permit('scans:run')
  @ApiOperation({ operationId: 'startProfileScan' })
  @ApiBody({ type: StartProfileScanRequest, required: false })
  @ApiConflictResponse({ description: 'A profile scan of the dataset is running.' })
  start(
    @Ctx() ctx: RequestContext,
    @Param('id') id: string,
    @Body() request: StartProfileScanRequest,
  ): Promise<ProfileScanRun> {
    return this.scans.start(ctx, id, request);
  }

  /**
   * List profile scans.
   * @remarks Profile scans, the newest first by default. The 50 newest ended scans are kept.
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
   * @remarks Returns the progress, and the summary once the scan is `completed`.
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
   * @remarks Returns every number of the summary that differs between this scan and the scan named by `with` (by default the previous one),
   * and the differences of their configurations. Both scans must be `completed`.
   */
  @Get('scans/:scan_run_id/diff')
  @Permit('datasets:read')
  @ApiOperation({ operationId: 'diffProfileScans' })
  @ApiConflictResponse({ description: 'One of the scans is not completed, or there is no previous scan.' })
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
   * @remarks `pending` or `running` → `cancelled`; the worker stops soon afterwards. A scan that has ended is `scans.ended`.
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
