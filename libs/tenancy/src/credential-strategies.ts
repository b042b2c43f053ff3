import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import type { FastifyRequest } from 'fastify';
import passport, { Strategy } from 'passport';
import {
  Authenticator,
  type AuthenticatedAccount,
  type AuthenticatedApiKey,
  type RefusedCredential,
} from './authenticator.port.js';

export const ACCESS_TOKEN_STRATEGY = 'access-token';
export const API_KEY_STRATEGY = 'api-key';

/** A request with the credential that the resolver chose. */
export type CredentialRequest = FastifyRequest & { kbCredential?: string };

type Done = (error: unknown, found?: object | null) => void;

/** A passport strategy that looks up whose credential the resolver has chosen. */
class CredentialStrategy extends Strategy {
  constructor(private readonly verify: (credential: string, done: Done) => void) {
    super();
  }

  override authenticate(request: unknown): void {
    this.verify((request as CredentialRequest).kbCredential ?? '', (error, found) => {
      if (error) this.error(error);
      else if (found) this.success(found);
      else this.fail(401);
    });
  }
}

/** `Authorization: Bearer <access token>`. */
@Injectable()
export class AccessTokenStrategy extends PassportStrategy(CredentialStrategy, ACCESS_TOKEN_STRATEGY) {
  constructor(private readonly authenticator: Authenticator) {
    super();
  }

  validate(token: string): Promise<AuthenticatedAccount | RefusedCredential> {
    return this.authenticator.findByAccessToken(token);
  }
}

/** `X-API-Key: <key>`, or a bearer token that begins with `kb_`. */
@Injectable()
export class ApiKeyStrategy extends PassportStrategy(CredentialStrategy, API_KEY_STRATEGY) {
  constructor(private readonly authenticator: Authenticator) {
    super();
  }

  validate(key: string): Promise<AuthenticatedApiKey | RefusedCredential> {
    return this.authenticator.findByApiKey(key);
  }
}

type Middleware = (request: unknown, response: unknown, next: (error?: unknown) => void) => void;

/** Whose credential the request carries, as the strategy of that name finds it. */
export function askStrategy(
  name: typeof ACCESS_TOKEN_STRATEGY | typeof API_KEY_STRATEGY,
  request: CredentialRequest,
): Promise<AuthenticatedAccount | AuthenticatedApiKey | RefusedCredential> {
  return new Promise((resolve, reject) => {
    const answer = (
      error: unknown,
      found?: AuthenticatedAccount | AuthenticatedApiKey | RefusedCredential | false,
    ): void => {
      if (error) reject(error instanceof Error ? error : new Error('The credential could not be checked.'));
      else resolve(found || { refused: 'invalid' });
    };
    const ask = passport.authenticate(name, { session: false }, answer) as Middleware;
    ask(request, request.raw, answer);
  });
}
