import { Body, Controller, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiConsumes, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Ctx, Permit, type RequestContext } from '#libs/tenancy';
import { AccountsListQuery } from './dto/list-query.dto.js';
import { CreatedTenant, CreateTenantDto, Tenant, TenantPage, UpdateTenantDto } from './dto/tenant.dto.js';
import { TenantsService } from './tenants.service.js';

@ApiTags('tenants')
@Controller('tenants')
export class TenantsController {
  constructor(private readonly tenants: TenantsService) {}

  /** The tenants that the caller belongs to; of an API key its own. */
  @Get()
  @Permit(null)
  @ApiOperation({ summary: 'List the own tenants', operationId: 'listTenants' })
  list(@Ctx() ctx: RequestContext, @Query() query: AccountsListQuery): Promise<TenantPage> {
    return this.tenants.list(ctx, query);
  }

  /** Makes a tenant and its owner. The caller gets no sight of its data; a known account is joined and keeps its password. */
  @Post()
  @Permit('platform:tenants')
  @ApiOperation({ summary: 'Make a tenant', operationId: 'createTenant' })
  create(@Ctx() ctx: RequestContext, @Body() wanted: CreateTenantDto): Promise<CreatedTenant> {
    return this.tenants.create(ctx, wanted);
  }

  /** Renames the tenant that the caller acts in; an account with several tenants selects it with `X-Tenant-ID`, else 404. */
  @Patch(':id')
  @Permit('tenant:manage')
  @ApiConsumes('application/json', 'application/merge-patch+json')
  @ApiOperation({ summary: 'Rename a tenant', operationId: 'updateTenant' })
  update(@Ctx() ctx: RequestContext, @Param('id') id: string, @Body() change: UpdateTenantDto): Promise<Tenant> {
    return this.tenants.update(ctx, id, change);
  }
}
