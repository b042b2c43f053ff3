import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Ctx, Permit, type RequestContext } from '#libs/tenancy';
import { UsageQuery, UsageReport } from './usage.dto.js';
import { UsageService } from './usage.service.js';

@ApiTags('Usage')
@Controller('usage')
export class UsageController {
  constructor(private readonly usage: UsageService) {}

  /**
   * Read the usage of remote models.
   * @remarks Requests, tokens and cost of the tenant by period, dataset, model and purpose, and the present month compared with the
   * tenant's budgets, which `PATCH /tenants/{id}` sets. Datasets that the caller does not see are shown without their names.
   */
  @Get()
  @Permit('tenant:observability')
  @ApiOperation({ operationId: 'readUsage' })
  read(@Ctx() ctx: RequestContext, @Query() query: UsageQuery): Promise<UsageReport> {
    return this.usage.report(ctx, query);
  }
}
