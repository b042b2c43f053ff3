import { Body, Controller, Delete, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { WithoutIdempotency } from '#libs/http';
import { Ctx, Permit, type RequestContext } from '#libs/tenancy';
import { ApiKeysService } from './api-keys.service.js';
import { ApiKeyPage, CreateApiKeyDto, CreatedApiKey } from './api-key.dto.js';
import { AccountsListQuery } from '../record/list-query.dto.js';

/** For accounts only: an API key cannot create, list or delete keys. */
@ApiTags('Authentication')
@Controller('auth/api-keys')
@Permit(null, { accountOnly: true })
export class ApiKeysController {
  constructor(private readonly keys: ApiKeysService) {}

  /**
   * Create an API key.
   * @remarks Creates a key for the tenant that the account acts in. The secret is shown only in this answer.
   */
  @Post()
  @WithoutIdempotency()
  @ApiOperation({ operationId: 'createApiKey' })
  create(@Ctx() ctx: RequestContext, @Body() wanted: CreateApiKeyDto): Promise<CreatedApiKey> {
    return this.keys.create(ctx, wanted);
  }

  /**
   * List the caller's API keys.
   * @remarks API keys of the account in the tenant that it acts in.
   */
  @Get()
  @ApiOperation({ operationId: 'listApiKeys' })
  list(@Ctx() ctx: RequestContext, @Query() query: AccountsListQuery): Promise<ApiKeyPage> {
    return this.keys.list(ctx, query);
  }

  /**
   * Delete an API key.
   * @remarks The key stops working at once. With `members:manage` any key of the tenant can be deleted, otherwise only those of the caller's
   * account.
   */
  @Delete(':id')
  @HttpCode(204)
  @ApiOperation({ operationId: 'deleteApiKey' })
  remove(@Ctx() ctx: RequestContext, @Param('id') id: string): Promise<void> {
    return this.keys.remove(ctx, id);
  }
}
