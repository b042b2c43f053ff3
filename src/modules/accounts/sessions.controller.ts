import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiConflictResponse, ApiOperation, ApiTags, ApiUnauthorizedResponse } from '@nestjs/swagger';
import { RateLimit, WithoutIdempotency } from '#libs/http';
import { FromClient, Public, type Client } from '#libs/tenancy';
import { LoginDto, RefreshTokenDto, TokenResponse } from './dto/session.dto.js';
import { SessionsService } from './sessions.service.js';

@ApiTags('Authentication')
@Controller('auth')
@Public()
@WithoutIdempotency()
export class SessionsController {
  constructor(private readonly sessions: SessionsService) {}

  /**
   * Log in.
   * @remarks Gives an access token and a refresh token. A wrong address and a wrong password answer alike (401). After five
   * failures from one network (an IPv4 address, an IPv6 /64) each further attempt for that e-mail address has to wait, twice as long
   * each time, 15 minutes at most (429 with `Retry-After`); other networks do not wait for it.
   * Several accounts may have one e-mail address; the one whose password it is logs in. Where it is the password of several, `tenant_id`
   * says which one, and 409 without it names the tenants.
   * OAuth2's password form (RFC 6749, 4.3.2: `grant_type=password`, `username`, `password`, URL-encoded) is taken too, with `tenant_id` as a
   * further parameter.
   */
  @Post('login')
  @HttpCode(200)
  @RateLimit('login')
  @ApiOperation({ operationId: 'login' })
  @ApiUnauthorizedResponse({ description: 'E-mail address or password is wrong.' })
  @ApiConflictResponse({ description: 'The password is right for several accounts: name a tenant.' })
  login(@Body() credentials: LoginDto, @FromClient() client: Client): Promise<TokenResponse> {
    return this.sessions.login(credentials, client);
  }

  /**
   * Renew the tokens of a session.
   * @remarks Gives new tokens for a refresh token, which works once. Using one a second time ends the whole session (401).
   */
  @Post('refresh')
  @HttpCode(200)
  @ApiOperation({ operationId: 'refreshTokens' })
  @ApiUnauthorizedResponse({ description: 'The refresh token is unknown, expired, used or ended.' })
  refresh(@Body() { refresh_token: token }: RefreshTokenDto, @FromClient() client: Client): Promise<TokenResponse> {
    return this.sessions.refresh(token, client);
  }

  /**
   * End a session.
   * @remarks Ends the session that the refresh token belongs to; an unknown token is no error. Access tokens run out by themselves.
   */
  @Post('logout')
  @HttpCode(204)
  @ApiOperation({ operationId: 'logout' })
  logout(@Body() { refresh_token: token }: RefreshTokenDto): Promise<void> {
    return this.sessions.logout(token);
  }
}
