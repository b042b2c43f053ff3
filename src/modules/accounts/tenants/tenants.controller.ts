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
   * List the caller's tenants.
   * @remarks The tenants that the caller belongs to; for an API key only its own.
   */
  @Get()
  @Permit(null)
  @ApiOperation({ operationId: 'listTenants' })
  list(@Ctx() ctx: RequestContext, @Query() query: AccountsListQuery): Promise<TenantPage> {
    return this.tenants.list(ctx, query);
  }

  /**
   * Create a tenant.
   * @remarks Creates a tenant and its owner. The caller gets no access to its data. If this route or the settings have created an account
   * for the address before, that account becomes the owner and keeps its password. Accounts created by invitations are not used; the owner
   * gets a new account instead.
   */
  @Post()
  @Permit('platform:tenants')
  @ApiOperation({ operationId: 'createTenant' })
  create(@Ctx() ctx: RequestContext, @Body() wanted: CreateTenantDto): Promise<CreatedTenant> {
    return this.tenants.create(ctx, wanted);
  }

  /**
   * Change a tenant.
   * @remarks Changes the tenant that the caller acts in; an account with several tenants selects it with `X-Tenant-ID`, otherwise the
   * answer is 404. With `release_needs_two`, one account requests the release of a document from quarantine and another one grants it.
   * `budgets` limit the tenant's use of remote models in a calendar month (UTC); only a caller with `platform:tenants` can set them, for
   * any tenant. When a budget is used up, the tenant's searches and chats are answered 429 `usage.budget_exhausted`, and its documents wait
   * (`budget_exhausted`).
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
