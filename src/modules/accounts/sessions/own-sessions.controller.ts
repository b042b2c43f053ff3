import { Controller, Delete, Get, HttpCode, Param, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Ctx, FromSession, Permit, type RequestContext } from '#libs/tenancy';
import { OwnSessionPage, OwnSessionsQuery } from './own-session.dto.js';
import { OwnSessionsService } from './own-sessions.service.js';

/** For accounts only: an API key has no sessions and cannot end any. */
@ApiTags('Authentication')
@Controller('auth/sessions')
@Permit(null, { accountOnly: true })
export class OwnSessionsController {
  constructor(private readonly sessions: OwnSessionsService) {}

  /**
   * List the caller's sessions.
   * @remarks Sessions of the account that can still be refreshed, the last used first. No other account sees them. The network and the browser
   * or program of a session are kept until it expires.
   */
  @Get()
  @ApiOperation({ operationId: 'listOwnSessions' })
  list(
    @Ctx() ctx: RequestContext,
    @FromSession() current: string | undefined,
    @Query() query: OwnSessionsQuery,
  ): Promise<OwnSessionPage> {
    return this.sessions.list(ctx, current, query);
  }

  /**
   * Sign out everywhere.
   * @remarks Ends all sessions of the account: refresh tokens at once, access tokens at their next request, including the one of this call.
   * API keys remain valid, and so do access tokens of an OpenID Connect issuer.
   */
  @Delete()
  @HttpCode(204)
  @ApiOperation({ operationId: 'endAllOwnSessions' })
  endAll(@Ctx() ctx: RequestContext): Promise<void> {
    return this.sessions.endAll(ctx);
  }

  /**
   * End a session of the caller.
   * @remarks The refresh token is invalid at once; the access token remains valid until it expires, at most `AUTH_ACCESS_TOKEN_SECONDS`.
   */
  @Delete(':id')
  @HttpCode(204)
  @ApiOperation({ operationId: 'endOwnSession' })
  end(@Ctx() ctx: RequestContext, @Param('id') id: string): Promise<void> {
    return this.sessions.end(ctx, id);
  }
}
