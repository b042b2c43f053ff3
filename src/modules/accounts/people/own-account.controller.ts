import { Body, Controller, Get, HttpCode, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { RateLimit, WithoutIdempotency } from '#libs/http';
import { Ctx, FromClient, Permit, type Client, type RequestContext } from '#libs/tenancy';
import { ChangePasswordDto, MeResponse } from './me.dto.js';
import { OwnAccountService } from './own-account.service.js';

@ApiTags('Authentication')
@Controller('auth')
export class OwnAccountController {
  constructor(private readonly account: OwnAccountService) {}

  /**
   * Read the caller.
   * @remarks The account of the caller, the tenant that this request acts in, and the caller's permissions there. 404 if `X-Tenant-ID` names a
   * tenant that the caller does not belong to.
   */
  @Get('me')
  @Permit(null)
  @ApiOperation({ operationId: 'getMe' })
  me(@Ctx() ctx: RequestContext): Promise<MeResponse> {
    return this.account.me(ctx);
  }

  /**
   * Change the caller's password.
   * @remarks Also ends all sessions of the account: refresh tokens at once, access tokens at their next request, including the one of this
   * call. 403 if the current password is wrong.
   */
  @Post('password')
  @HttpCode(204)
  @Permit(null, { accountOnly: true })
  @RateLimit('login')
  @WithoutIdempotency()
  @ApiOperation({ operationId: 'changePassword' })
  changePassword(
    @Ctx() ctx: RequestContext,
    @FromClient() client: Client,
    @Body() change: ChangePasswordDto,
  ): Promise<void> {
    return this.account.changePassword(ctx, client, change.current_password, change.new_password);
  }
}
