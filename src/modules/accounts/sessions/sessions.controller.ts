import { Body, Controller, Get, HttpCode, Post } from '@nestjs/common';
import {
  ApiConflictResponse,
  ApiForbiddenResponse,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
  ApiUnauthorizedResponse,
} from '@nestjs/swagger';
import { FromPage, RateLimit, WithoutIdempotency, type PageExchange } from '#libs/http';
import { FromClient, Public, type Client } from '#libs/tenancy';
import { CookieSessionsService } from './cookie-sessions.service.js';
import { LoginDto, RefreshDto, RefreshTokenDto, SignInMethods, TokenResponse } from './session.dto.js';

@ApiTags('Authentication')
@Controller('auth')
@Public()
@WithoutIdempotency()
export class SessionsController {
  constructor(private readonly sessions: CookieSessionsService) {}

  /**
   * List the ways to sign in.
   * @remarks The ways to sign in that a login page can offer.
   */
  @Get('methods')
  @ApiOperation({ operationId: 'listSignInMethods' })
  listMethods(): SignInMethods {
    return this.sessions.listMethods();
  }

  /**
   * Log in.
   * @remarks Gives an access token and a refresh token. The answer to a wrong address and to a wrong password is the same (401). After five
   * failures from one network (an IPv4 address or an IPv6 /64) each further attempt for that e-mail address is delayed, twice as long each
   * time, up to 15 minutes (429 with `Retry-After`); attempts from other networks are not delayed. If several accounts have the e-mail
   * address, the one with this password is logged in. If several of them have this password, `tenant_id` selects one; without it the answer
   * is 409 and names the tenants. The password form of OAuth2 (RFC 6749, 4.3.2: `grant_type=password`, `username`, `password`, URL-encoded)
   * is accepted too, with `tenant_id` as an additional parameter. With `session: "cookie"` the refresh token is set as the cookie
   * `kb_refresh` (HttpOnly, SameSite=Strict, `Secure` under TLS, only for `/api/v1/auth`) and is not in the answer. This is only for pages
   * of the service's own origin; pages of other origins are answered 403.
   */
  @Post('login')
  @HttpCode(200)
  @RateLimit('login')
  @ApiOperation({ operationId: 'login' })
  @ApiUnauthorizedResponse({ description: 'E-mail address or password is wrong.' })
  @ApiConflictResponse({ description: 'The password is right for several accounts; `tenant_id` selects one.' })
  @ApiForbiddenResponse({
    description: 'A page of another origin asks for a cookie, or the service accepts no passwords.',
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
   * @remarks Gives new tokens for a refresh token, which works once: using it a second time ends the session (401). Without `refresh_token`
   * the cookie is used, and the new refresh token is set as the cookie; a page of another origin is answered 403. If the answer was lost, for
   * example because the page was reloaded meanwhile, the old cookie works once more within 30 seconds, unless the new one has been used. A page
   * that may have no session yet sends `session_optional: true`, and is answered 204 where there is no cookie.
   */
  @Post('refresh')
  @HttpCode(200)
  @ApiOperation({ operationId: 'refreshTokens' })
  @ApiUnauthorizedResponse({
    description: 'The refresh token is unknown, expired or already used, or its session has ended.',
  })
  @ApiOkResponse({ type: TokenResponse, description: 'The new tokens.' })
  @ApiNoContentResponse({ description: 'There is no session to go on with (`session_optional`).' })
  @ApiForbiddenResponse({ description: 'The cookie was sent by a page of another origin.' })
  refresh(
    @Body() body: RefreshDto,
    @FromClient() client: Client,
    @FromPage() page: PageExchange,
  ): Promise<TokenResponse | undefined> {
    return this.sessions.refresh(body, client, page);
  }

  /**
   * End a session.
   * @remarks Ends the session that the refresh token belongs to; an unknown token is no error. Access tokens remain valid until they expire.
   * Without `refresh_token` the session of the cookie is ended and the cookie is removed; a page of another origin is answered 403.
   */
  @Post('logout')
  @HttpCode(204)
  @ApiOperation({ operationId: 'logout' })
  @ApiForbiddenResponse({ description: 'The cookie was sent by a page of another origin.' })
  logout(@Body() { refresh_token: token }: RefreshTokenDto, @FromPage() page: PageExchange): Promise<void> {
    return this.sessions.logout(token, page);
  }
}
