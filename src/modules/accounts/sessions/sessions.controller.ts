import { Body, Controller, Get, HttpCode, Post } from '@nestjs/common';
import {
  ApiConflictResponse,
  ApiForbiddenResponse,
  ApiOperation,
  ApiTags,
  ApiUnauthorizedResponse,
} from '@nestjs/swagger';
import { FromPage, RateLimit, WithoutIdempotency, type PageExchange } from '#libs/http';
import { FromClient, Public, type Client } from '#libs/tenancy';
import { CookieSessionsService } from './cookie-sessions.service.js';
import { LoginDto, RefreshTokenDto, SignInMethods, TokenResponse } from './session.dto.js';

@ApiTags('Authentication')
@Controller('auth')
@Public()
@WithoutIdempotency()
export class SessionsController {
  constructor(private readonly sessions: CookieSessionsService) {}

  /**
   * How people sign in.
   * @remarks Says what a page offers to somebody who is not signed in.
   */
  @Get('methods')
  @ApiOperation({ operationId: 'listSignInMethods' })
  listMethods(): SignInMethods {
    return this.sessions.listMethods();
  }

  /**
   * Log in.
   * @remarks Gives an access token and a refresh token. A wrong address and a wrong password answer alike (401). After five
   * failures from one network (an IPv4 address, an IPv6 /64) each further attempt for that e-mail address has to wait, twice as long
   * each time, 15 minutes at most (429 with `Retry-After`); other networks do not wait for it.
   * Several accounts may have one e-mail address; the one whose password it is logs in. Where it is the password of several, `tenant_id`
   * says which one, and 409 without it names the tenants.
   * OAuth2's password form (RFC 6749, 4.3.2: `grant_type=password`, `username`, `password`, URL-encoded) is taken too, with `tenant_id` as a
   * further parameter.
   * With `session: "cookie"` the refresh token is set as the cookie `kb_refresh` (HttpOnly, SameSite=Strict, `Secure` under TLS, for
   * `/api/v1/auth` alone) instead of being in the answer. That is for pages of the service's own origin; others are 403.
   */
  @Post('login')
  @HttpCode(200)
  @RateLimit('login')
  @ApiOperation({ operationId: 'login' })
  @ApiUnauthorizedResponse({ description: 'E-mail address or password is wrong.' })
  @ApiConflictResponse({ description: 'The password is right for several accounts: name a tenant.' })
  @ApiForbiddenResponse({
    description: 'A page of another origin asks for a cookie, or this service takes no passwords.',
  })
  login(
    @Body() credentials: LoginDto,
    @FromClient() client: Client,
    @FromPage() page: PageExchange,
  ): Promise<TokenResponse> {
    return this.sessions.login(credentials, client, page);
  }

  /**
   * Renew the tokens of a session.
   * @remarks Gives new tokens for a refresh token, which works once. Using one a second time ends the whole session (401).
   * Without `refresh_token` that of the cookie counts, and its successor is set as the cookie; a page of another origin is 403. Where
   * the answer was lost, as in a page that is loaded again meanwhile, the cookie counts once more within 30 seconds, as long as nobody
   * has used its successor.
   */
  @Post('refresh')
  @HttpCode(200)
  @ApiOperation({ operationId: 'refreshTokens' })
  @ApiUnauthorizedResponse({ description: 'The refresh token is unknown, expired, used or ended.' })
  @ApiForbiddenResponse({ description: 'The cookie came with a page of another origin.' })
  refresh(
    @Body() { refresh_token: token }: RefreshTokenDto,
    @FromClient() client: Client,
    @FromPage() page: PageExchange,
  ): Promise<TokenResponse> {
    return this.sessions.refresh(token, client, page);
  }

  /**
   * End a session.
   * @remarks Ends the session that the refresh token belongs to; an unknown token is no error. Access tokens run out by themselves.
   * Without `refresh_token` it is the session of the cookie, which is taken away; a page of another origin is 403.
   */
  @Post('logout')
  @HttpCode(204)
  @ApiOperation({ operationId: 'logout' })
  @ApiForbiddenResponse({ description: 'The cookie came with a page of another origin.' })
  logout(@Body() { refresh_token: token }: RefreshTokenDto, @FromPage() page: PageExchange): Promise<void> {
    return this.sessions.logout(token, page);
  }
}
