import { Injectable } from '@nestjs/common';
import type { AccountId } from '#libs/common';
import { Settings } from '#libs/config';
import { isOwnPage, validationFailed, type HttpOnlyCookie, type PageExchange } from '#libs/http';
import type { Client } from '#libs/tenancy';
import { accountErrors } from '../accounts.errors.js';
import type { LoginDto, RefreshDto, SignInMethods, TokenResponse } from './session.dto.js';
import { SessionsService, type SessionTokens } from './sessions.service.js';

const NAME = 'kb_refresh';
const PATH = '/api/v1/auth';

/**
 * Sessions of pages: the refresh token is in a cookie, and requests that are authenticated only by the cookie must come from a page of the
 * service's own origin. Programs send the refresh token in the body; then no cookie is read.
 */
@Injectable()
export class CookieSessionsService {
  constructor(
    private readonly sessions: SessionsService,
    private readonly settings: Settings,
  ) {}

  /** The ways to sign in. */
  listMethods(): SignInMethods {
    const { authPasswordLogin, authOidcClientId } = this.settings.values;
    return { password: authPasswordLogin === 'on', oidc: authOidcClientId !== undefined };
  }

  /** @throws what `SessionsService.login` does, `accounts.foreign_page` */
  async login(credentials: LoginDto, client: Client, page: PageExchange): Promise<TokenResponse> {
    if (credentials.session !== 'cookie') return this.sessions.login(credentials, client);
    this.refuseForeign(page);
    return this.keep(await this.sessions.login(credentials, client), page);
  }

  /** Begins a session of an account that an issuer has authenticated. @throws `accounts.login_failed` for one that is disabled */
  async begin(accountId: AccountId, client: Client, page: PageExchange): Promise<void> {
    this.keep(await this.sessions.beginVouched(accountId, client), page);
  }

  /**
   * Undefined, and the answer has no content, for a page without a session that may have none.
   * @throws `accounts.refresh_token_invalid`, `accounts.foreign_page`, 422 without any token
   */
  async refresh(
    { refresh_token: token, session_optional: isOptional }: RefreshDto,
    client: Client,
    page: PageExchange,
  ): Promise<TokenResponse | undefined> {
    if (token !== undefined) return this.sessions.refresh(token, client);
    if (isOptional === true && page.readCookie(NAME) === undefined) {
      page.answerNothing();
      return undefined;
    }
    return this.keep(await this.sessions.refresh(this.tokenOf(page), client), page);
  }

  /** @throws `accounts.foreign_page`, 422 without any token */
  async logout(token: string | undefined, page: PageExchange): Promise<void> {
    if (token !== undefined) return this.sessions.logout(token);
    await this.sessions.logout(this.tokenOf(page));
    page.setCookie(this.cookieOf('', page));
  }

  /** Puts the refresh token into the cookie; the answer contains the rest. */
  private keep({ refresh_token: token, ...answer }: SessionTokens, page: PageExchange): TokenResponse {
    page.setCookie(this.cookieOf(token, page));
    return answer;
  }

  private tokenOf(page: PageExchange): string {
    const token = page.readCookie(NAME);
    if (token === undefined) {
      throw validationFailed([{ pointer: '/refresh_token', code: 'required', detail: 'refresh_token is missing' }]);
    }
    this.refuseForeign(page);
    return token;
  }

  private refuseForeign(page: PageExchange): void {
    if (isOwnPage(page, this.settings.values.publicUrl)) return;
    throw accountErrors.foreign_page({ origin: page.origin ?? 'a program that names none' });
  }

  /** The cookie of the refresh token, with the path of `PUBLIC_URL` if a proxy serves the service below a path. */
  cookieOf(value: string, page: PageExchange): HttpOnlyCookie {
    const { publicUrl, refreshTokenSeconds: maxAgeSeconds } = this.settings.values;
    const address = publicUrl === undefined ? undefined : new URL(publicUrl);
    const path = `${address?.pathname.replace(/\/$/, '') ?? ''}${PATH}`;
    const isSecure = page.protocol === 'https' || address?.protocol === 'https:';
    return { name: NAME, value, path, sameSite: 'Strict', isSecure, maxAgeSeconds };
  }
}
