import { Controller, Delete, Get, HttpCode, Param, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Ctx, FromSession, Permit, type RequestContext } from '#libs/tenancy';
import { OwnSessionPage, OwnSessionsQuery } from './own-session.dto.js';
import { OwnSessionsService } from './own-sessions.service.js';

/** For accounts only: a key has no session and ends none. */
@ApiTags('Authentication')
@Controller('auth/sessions')
@Permit(null, { accountOnly: true })
export class OwnSessionsController {
  constructor(private readonly sessions: OwnSessionsService) {}

  /**
   * List the own sessions.
   * @remarks What the account's logins have begun and what can still be refreshed, the one used last first. Nobody else sees them. What
   * they were used with is kept until the session has run out.
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
   * @remarks Ends all sessions of the account: refresh tokens at once, access tokens at their next request, that of this call included. API
   * keys stay, and so do access tokens of an OpenID Connect issuer.
   */
  @Delete()
  @HttpCode(204)
  @ApiOperation({ operationId: 'endAllOwnSessions' })
  endAll(@Ctx() ctx: RequestContext): Promise<void> {
    return this.sessions.endAll(ctx);
  }

  /**
   * End one of the own sessions.
   * @remarks Its refresh token is void at once; its access token runs out by itself, within `AUTH_ACCESS_TOKEN_SECONDS`.
   */
  @Delete(':id')
  @HttpCode(204)
  @ApiOperation({ operationId: 'endOwnSession' })
  end(@Ctx() ctx: RequestContext, @Param('id') id: string): Promise<void> {
    return this.sessions.end(ctx, id);
  }
}
