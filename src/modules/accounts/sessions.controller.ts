import { Body, Controller, Header, HttpCode, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { RateLimit, WithoutIdempotency } from '#libs/http';
import { Public } from '#libs/tenancy';
import { LoginDto, RefreshTokenDto, TokenResponse } from './dto/session.dto.js';
import { SessionsService } from './sessions.service.js';

@ApiTags('auth')
@Controller('auth')
@Public()
@WithoutIdempotency()
export class SessionsController {
  constructor(private readonly sessions: SessionsService) {}

  /**
   * Gives an access token and a refresh token. A wrong address and a wrong password answer alike (401). Ten failed attempts
   * for one address in 15 minutes block it for the rest of them (429).
   */
  @Post('login')
  @HttpCode(200)
  @RateLimit('login')
  @Header('Cache-Control', 'no-store')
  @ApiOperation({ summary: 'Log in', operationId: 'login' })
  login(@Body() { email, password }: LoginDto): Promise<TokenResponse> {
    return this.sessions.login(email, password);
  }

  /** Gives new tokens for a refresh token, which works once. Using one a second time ends the whole session (401). */
  @Post('refresh')
  @HttpCode(200)
  @Header('Cache-Control', 'no-store')
  @ApiOperation({ summary: 'Renew the tokens of a session', operationId: 'refreshTokens' })
  refresh(@Body() { refresh_token: token }: RefreshTokenDto): Promise<TokenResponse> {
    return this.sessions.refresh(token);
  }

  /** Ends the session that the refresh token belongs to; an unknown token is no error. Access tokens run out by themselves. */
  @Post('logout')
  @HttpCode(204)
  @ApiOperation({ summary: 'End a session', operationId: 'logout' })
  logout(@Body() { refresh_token: token }: RefreshTokenDto): Promise<void> {
    return this.sessions.logout(token);
  }
}
