import { Injectable } from '@nestjs/common';
import { AuthGuard, PassportStrategy } from '@nestjs/passport';
import type { FastifyRequest } from 'fastify';
import { Strategy } from 'passport';
import { Authenticator, type AuthenticatedAccount, type AuthenticatedApiKey } from './authenticator.port.js';

const ACCESS_TOKEN_STRATEGY = 'access-token';
const API_KEY_STRATEGY = 'api-key';

/** A request with the credential that the guard chose. */
export type CredentialRequest = FastifyRequest & { kbCredential?: string; user?: unknown };

type Done = (error: unknown, found?: object | null) => void;

/** A passport strategy that looks up whose credential the guard has chosen. */
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

  validate(token: string): Promise<AuthenticatedAccount | null> {
    return this.authenticator.findByAccessToken(token);
  }
}

/** `X-API-Key: <key>`, or a bearer token that begins with `kb_`. */
@Injectable()
export class ApiKeyStrategy extends PassportStrategy(CredentialStrategy, API_KEY_STRATEGY) {
  constructor(private readonly authenticator: Authenticator) {
    super();
  }

  validate(key: string): Promise<AuthenticatedApiKey | null> {
    return this.authenticator.findByApiKey(key);
  }
}

/** Nest's passport guards throw or pass; the one guard of the service wants to know who, or nobody. */
function knowWho<T>(error: unknown, found: T | false | null): T | null {
  if (error) throw error instanceof Error ? error : new Error('The credential could not be checked.');
  return found || null;
}

export class AccessTokenGuard extends AuthGuard(ACCESS_TOKEN_STRATEGY) {
  override handleRequest<T>(error: unknown, found: T | false | null): T {
    return knowWho(error, found) as T;
  }
}

export class ApiKeyGuard extends AuthGuard(API_KEY_STRATEGY) {
  override handleRequest<T>(error: unknown, found: T | false | null): T {
    return knowWho(error, found) as T;
  }
}
