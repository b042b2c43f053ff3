import { Body, Controller, Get, HttpCode, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Ctx, Permit, type RequestContext } from '#libs/tenancy';
import { BulkResult } from '../documents/index.js';
import { ListQuarantineQuery, QuarantinePage, QuarantineRequest, ReleaseRequest } from './dto/quarantine.dto.js';
import { QuarantineService } from './quarantine.service.js';

@ApiTags('Governance')
@Controller('governance/quarantine')
export class QuarantineController {
  constructor(private readonly quarantines: QuarantineService) {}

  /**
   * Quarantine documents.
   * @remarks `pending`, `processing`, `completed` or `failed` → `quarantined`. No search shows them any more when this answers, and
   * the work on them ends. Their text, chunks and file need `governance:read`; status and timeline stay readable. Ids that are
   * unknown or not visible (`documents.not_found`) and documents that are `cancelled` or already `quarantined`
   * (`documents.illegal_state`) are rejected one by one; the rest goes on.
   */
  @Post()
  @HttpCode(200)
  @Permit('governance:write', { outsider: 'not_found' })
  @ApiOperation({ operationId: 'quarantineDocuments' })
  quarantine(@Ctx() ctx: RequestContext, @Body() request: QuarantineRequest): Promise<BulkResult> {
    return this.quarantines.quarantine(ctx, request.document_ids, {
      reason: request.reason,
      note: request.note ?? null,
    });
  }

  /**
   * List the quarantine.
   * @remarks Quarantined documents of the datasets that the caller sees. A `dataset_id` that the caller does not see gives an empty list.
   */
  @Get()
  @Permit('governance:read')
  @ApiOperation({ operationId: 'listQuarantine' })
  list(@Ctx() ctx: RequestContext, @Query() query: ListQuarantineQuery): Promise<QuarantinePage> {
    return this.quarantines.list(ctx, query);
  }

  /**
   * Release documents.
   * @remarks `quarantined` → `pending`: they are ingested again, and what they showed before is searchable at once. Ids that are
   * unknown or not visible, and documents in another state, are rejected one by one; the rest goes on.
   */
  @Post('release')
  @HttpCode(200)
  @Permit('governance:write', { outsider: 'not_found' })
  @ApiOperation({ operationId: 'releaseDocuments' })
  release(@Ctx() ctx: RequestContext, @Body() request: ReleaseRequest): Promise<BulkResult> {
    return this.quarantines.release(ctx, request.document_ids);
  }
}
