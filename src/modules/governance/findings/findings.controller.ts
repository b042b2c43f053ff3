import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Ctx, Permit, type RequestContext } from '#libs/tenancy';
import { FindingPage, ListFindingsQuery } from './findings.dto.js';
import { FindingsService } from './findings.service.js';

@ApiTags('Governance')
@Controller('governance/findings')
export class FindingsController {
  constructor(private readonly findings: FindingsService) {}

  /**
   * List findings.
   * @remarks Places where detectors found sensitive content in documents of the datasets that the caller sees, with kind, certainty and
   * action; never the content itself. The findings of a revision are replaced each time it is ingested. Identifiers that the caller does
   * not see give an empty list.
   */
  @Get()
  @Permit('governance:read')
  @ApiOperation({ operationId: 'listFindings' })
  list(@Ctx() ctx: RequestContext, @Query() query: ListFindingsQuery): Promise<FindingPage> {
    return this.findings.list(ctx, query);
  }
}
