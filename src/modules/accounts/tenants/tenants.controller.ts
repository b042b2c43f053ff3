import { Body, Controller, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiExtraModels, ApiOperation, ApiTags, getSchemaPath } from '@nestjs/swagger';
import { Ctx, Permit, type RequestContext } from '#libs/tenancy';
import { AccountsListQuery } from '../record/list-query.dto.js';
import { CreatedTenant, CreateTenantDto, Tenant, TenantPage, UpdateTenantDto } from './tenant.dto.js';
import { TenantsService } from './tenants.service.js';

@ApiTags('Tenants')
@Controller('tenants')
export class TenantsController {
  constructor(private readonly tenants: TenantsService) {}

  /**
   * List the own tenants.
   * @remarks The tenants that the caller belongs to; of an API key its own.
   */
  @Get()
  @Permit(null)
  @ApiOperation({ operationId: 'listTenants' })
  list(@Ctx() ctx: RequestContext, @Query() query: AccountsListQuery): Promise<TenantPage> {
    return this.tenants.list(ctx, query);
  }

  /**
   * Make a tenant.
   * @remarks Makes a tenant and its owner. The caller gets no sight of its data. An address that this route or the settings gave an account
   * keeps that account and its password; accounts that invitations made are left alone, and the owner gets one of his own.
   */
  @Post()
  @Permit('platform:tenants')
  @ApiOperation({ operationId: 'createTenant' })
  create(@Ctx() ctx: RequestContext, @Body() wanted: CreateTenantDto): Promise<CreatedTenant> {
    return this.tenants.create(ctx, wanted);
  }

  /**
   * Change a tenant.
   * @remarks Renames the tenant that the caller acts in; an account with several tenants selects it with `X-Tenant-ID`, else 404.
   * `release_needs_two`: one account asks for the release of a document from quarantine, another one grants it.
   * `budgets` of any tenant are set by who has `platform:tenants`: what it may take of remote models in a calendar month (UTC). Beyond
   * them its searches and chats are answered 429 `usage.budget_exhausted`, and its documents wait (`budget_exhausted`).
   */
  @Patch(':id')
  @Permit('tenant:manage', { tenantParameter: 'id' })
  @ApiConsumes('application/json', 'application/merge-patch+json')
  @ApiBody({ schema: { allOf: [{ $ref: getSchemaPath(UpdateTenantDto) }], minProperties: 1 } })
  @ApiExtraModels(UpdateTenantDto)
  @ApiOperation({ operationId: 'updateTenant' })
  update(@Ctx() ctx: RequestContext, @Param('id') id: string, @Body() change: UpdateTenantDto): Promise<Tenant> {
    return this.tenants.update(ctx, id, change);
  }
}
