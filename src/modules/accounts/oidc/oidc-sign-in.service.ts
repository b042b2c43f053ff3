import { Inject, Injectable } from '@nestjs/common';
import { CatalogueError } from '#libs/common';
import { Settings } from '#libs/config';
import type { HttpOnlyCookie, PageExchange } from '#libs/http';
import { SecurityLog, type Client } from '#libs/tenancy';
import { accountErrors } from '../accounts.errors.js';
import { CookieSessionsService } from '../sessions/cookie-sessions.service.js';
import { OidcAccounts } from './oidc-accounts.service.js';
import { OidcCodeFlow, SignInRefused, type IssuerAnswerQuery, type SignInFault } from './oidc-code-flow.service.js';
import { beginSignIn, formatPending, parsePending } from './pending-sign-in.js';

const NAME = 'kb_oidc';
const PATH = '/auth/oidc/callback';
const MINUTES = 10;

/** A redirect of the browser. */
export interface Redirection {
  readonly url: string;
  readonly statusCode: 302;
}

/** Sign-in at an OpenID Connect issuer, which ends with a session in a cookie. */
@Injectable()
export class OidcSignInService {
  constructor(
    @Inject(OidcCodeFlow) private readonly flow: OidcCodeFlow | null,
    private readonly accounts: OidcAccounts,
    private readonly sessions: CookieSessionsService,
    private readonly security: SecurityLog,
    private readonly settings: Settings,
  ) {}

  /** Sends the browser to the issuer. @throws `accounts.issuer_not_configured` */
  async start(returnTo: string | undefined, client: Client, page: PageExchange): Promise<Redirection> {
    const flow = this.required();
    const pending = beginSignIn(returnTo);
    return this.answer(client, async () => {
      const url = await flow.addressOf(pending);
      page.setCookie(this.cookieOf(formatPending(pending), page));
      return url;
    });
  }

  /** Handles the issuer's answer once, and redirects the browser to the page where it started. @throws `accounts.issuer_not_configured` */
  async finish(answer: IssuerAnswerQuery, client: Client, page: PageExchange): Promise<Redirection> {
    const flow = this.required();
    const pending = parsePending(page.readCookie(NAME));
    page.setCookie(this.cookieOf('', page));
    return this.answer(client, async () => {
      const subject = await flow.findSubject(answer, pending);
      const accountId = await this.accounts.ensure(flow.issuer, subject);
      await this.sessions.begin(accountId, client, page);
      return this.addressOf(pending?.returnTo ?? '/');
    });
  }

  /** Redirects to a page with the error, because a redirected browser shows nothing else. */
  private async answer(client: Client, work: () => Promise<string>): Promise<Redirection> {
    try {
      return { url: await work(), statusCode: 302 };
    } catch (error) {
      const fault = faultOf(error);
      if (fault === undefined) throw error;
      this.security.note('auth.sign_in_refused', client, { reason: (error as Error).message });
      return { url: this.addressOf(`/?sign_in=${fault}`), statusCode: 302 };
    }
  }

  private required(): OidcCodeFlow {
    if (this.flow === null) throw accountErrors.issuer_not_configured({});
    return this.flow;
  }

  /** An address below PUBLIC_URL, which a request cannot change. */
  private addressOf(path: string): string {
    return `${this.settings.values.publicUrl?.replace(/\/$/, '') ?? ''}${path}`;
  }

  /** Not `Strict`, because the browser must send the cookie with the navigation from the issuer, which is another site. */
  private cookieOf(value: string, page: PageExchange): HttpOnlyCookie {
    const refresh = this.sessions.cookieOf(value, page);
    const path = refresh.path.replace(/\/auth$/, PATH);
    return { ...refresh, name: NAME, path, sameSite: 'Lax', maxAgeSeconds: MINUTES * 60 };
  }
}

/** The reason of a failed sign-in; undefined for other errors. */
function faultOf(error: unknown): SignInFault | undefined {
  if (error instanceof SignInRefused) return error.fault;
  if (!(error instanceof CatalogueError)) return undefined;
  if (error.code === 'accounts.issuer_unavailable') return 'unavailable';
  return error.code === 'accounts.login_failed' ? 'failed' : undefined;
}
