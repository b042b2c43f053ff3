import { Body, Controller, Delete, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { WithoutIdempotency } from '#libs/http';
import { Ctx, Permit, type RequestContext } from '#libs/tenancy';
import { ApiKeysService } from './api-keys.service.js';
import { ApiKeyPage, CreateApiKeyDto, CreatedApiKey } from './api-key.dto.js';
import { AccountsListQuery } from '../record/list-query.dto.js';

/** For accounts only: a key makes, lists and removes no keys. */
@ApiTags('Authentication')
@Controller('auth/api-keys')
@Permit(null, { accountOnly: true })
export class ApiKeysController {
  constructor(private readonly keys: ApiKeysService) {}

  /**
   * Make an API key.
   * @remarks Makes a key for the tenant that the account acts in. Its secret is shown in this answer and never again.
   */
  @Post()
  @WithoutIdempotency()
  @ApiOperation({ operationId: 'createApiKey' })
  create(@Ctx() ctx: RequestContext, @Body() wanted: CreateApiKeyDto): Promise<CreatedApiKey> {
    return this.keys.create(ctx, wanted);
  }

  /**
   * List the own API keys.
   * @remarks The account's own keys of the tenant that it acts in.
   */
  @Get()
  @ApiOperation({ operationId: 'listApiKeys' })
  list(@Ctx() ctx: RequestContext, @Query() query: AccountsListQuery): Promise<ApiKeyPage> {
    return this.keys.list(ctx, query);
  }

  /**
   * Delete an API key.
   * @remarks Ends a key at once. Who manages members may end any key of the tenant, everyone else his own.
   */
  @Delete(':id')
  @HttpCode(204)
  @ApiOperation({ operationId: 'deleteApiKey' })
  remove(@Ctx() ctx: RequestContext, @Param('id') id: string): Promise<void> {
    return this.keys.remove(ctx, id);
  }
}
