import { Controller, Get, Query, Redirect } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { FromPage, RateLimit, TakesForeignQuery, type PageExchange } from '#libs/http';
import { FromClient, Public, type Client } from '#libs/tenancy';
import { OidcSignInService, type Redirection } from './oidc-sign-in.service.js';

type Parameters = Readonly<Record<string, unknown>>;

/** Routes that browsers are redirected to; programs do not call them. */
@ApiExcludeController()
@Controller('auth/oidc')
@Public()
@RateLimit('login')
export class OidcSignInController {
  constructor(private readonly signIn: OidcSignInService) {}

  /** `return_to` is the path of the page that the browser returns to. */
  @Get('start')
  @Redirect()
  start(
    @Query() query: Parameters,
    @FromClient() client: Client,
    @FromPage() page: PageExchange,
  ): Promise<Redirection> {
    return this.signIn.start(textOf(query, 'return_to'), client, page);
  }

  /** Issuers add parameters of their own. */
  @Get('callback')
  @TakesForeignQuery()
  @Redirect()
  callback(
    @Query() query: Parameters,
    @FromClient() client: Client,
    @FromPage() page: PageExchange,
  ): Promise<Redirection> {
    const [state, code, iss, error] = ['state', 'code', 'iss', 'error'].map((name) => textOf(query, name));
    return this.signIn.finish({ state, code, iss, error }, client, page);
  }
}

/** Undefined for a parameter that is missing or comes several times. */
function textOf(query: Parameters, name: string): string | undefined {
  const value = query[name];
  return typeof value === 'string' ? value : undefined;
}
