import { Body, Controller, Header, HttpCode, Post } from '@nestjs/common';
import { ApiOperation, ApiTags, ApiUnauthorizedResponse } from '@nestjs/swagger';
import { RateLimit, WithoutIdempotency } from '#libs/http';
import { Public } from '#libs/tenancy';
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
   * @remarks Gives an access token and a refresh token. A wrong address and a wrong password answer alike (401). Ten failed attempts
   * for one address in 15 minutes block it for the rest of them (429).
   */
  @Post('login')
  @HttpCode(200)
  @RateLimit('login')
  @Header('Cache-Control', 'no-store')
  @ApiOperation({ operationId: 'login' })
  @ApiUnauthorizedResponse({ description: 'E-mail address or password is wrong.' })
  login(@Body() { email, password }: LoginDto): Promise<TokenResponse> {
    return this.sessions.login(email, password);
  }

  /**
   * Renew the tokens of a session.
   * @remarks Gives new tokens for a refresh token, which works once. Using one a second time ends the whole session (401).
   */
  @Post('refresh')
  @HttpCode(200)
  @Header('Cache-Control', 'no-store')
  @ApiOperation({ operationId: 'refreshTokens' })
  @ApiUnauthorizedResponse({ description: 'The refresh token is unknown, expired, used or ended.' })
  refresh(@Body() { refresh_token: token }: RefreshTokenDto): Promise<TokenResponse> {
    return this.sessions.refresh(token);
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
