import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Ctx, Permit, type RequestContext } from '#libs/tenancy';
import { TenantDatasetPage, TenantDatasetsQuery } from './tenant-datasets.dto.js';
import { TenantDatasetsService } from './tenant-datasets.service.js';

@ApiTags('Tenants')
@Controller('tenants/:id/datasets')
export class TenantDatasetsController {
  constructor(private readonly datasets: TenantDatasetsService) {}

  /**
   * List all datasets of a tenant.
   * @remarks Every dataset of the tenant with its owner and size. Datasets that the caller does not see are listed without their names. An
   * administrator can delete any of them.
   */
  @Get()
  @Permit('tenant:observability', { tenantParameter: 'id' })
  @ApiOperation({ operationId: 'listTenantDatasets' })
  list(
    @Ctx() ctx: RequestContext,
    @Param('id') id: string,
    @Query() query: TenantDatasetsQuery,
  ): Promise<TenantDatasetPage> {
    return this.datasets.list(ctx, id, query);
  }
}
