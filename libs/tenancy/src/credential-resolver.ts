import { Injectable } from '@nestjs/common';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { AuthenticatedAccount, AuthenticatedApiKey, RefusedCredential } from './authenticator.port.js';
import { clientOf } from './client.js';
import {
  ACCESS_TOKEN_STRATEGY,
  API_KEY_STRATEGY,
  askStrategy,
  type CredentialRequest,
} from './credential-strategies.js';
import { RefusedCredentials } from './refused-credentials.js';
import { authErrors } from './tenancy.errors.js';

/** Whose credential it is. */
export type Identity = AuthenticatedAccount | AuthenticatedApiKey;

/** A request whose credential was accepted. */
export type IdentifiedRequest = FastifyRequest & { kbIdentity?: Identity };

/** What is said of an Authorization header that holds no `Bearer <credential>`. */
export const NO_BEARER = 'Authorization header';
type PresentCredential = { readonly kind: 'access token' | 'API key' | typeof NO_BEARER; readonly value: string };

/**
 * The strongest credential that is present decides, and its failure is final: access token, then API key; a tenant header alone
 * is none (contract, section 2).
 */
@Injectable()
export class CredentialResolver {
  constructor(private readonly refusals: RefusedCredentials) {}

  /** Who sent the request. @throws `auth.credential_missing`, `auth.credential_invalid`, `auth.too_many_refused` */
  async resolve(request: FastifyRequest): Promise<Identity> {
    const credential = strongestCredential(request);
    if (credential === null) throw authErrors.credential_missing();
    const { kind, value } = credential;
    const client = clientOf(request);
    await this.refusals.admit(value, client);
    const found = await this.find(request, credential);
    if ('refused' in found) {
      const { refused: reason, ...known } = found;
      await this.refusals.noteRefused(value, client, { kind, reason, ...known });
      throw authErrors.credential_invalid({ kind });
    }
    await this.refusals.noteAccepted(value);
    return found;
  }

  private find(request: CredentialRequest, { kind, value }: PresentCredential): Promise<Identity | RefusedCredential> {
    request.kbCredential = value;
    return askStrategy(kind === 'API key' ? API_KEY_STRATEGY : ACCESS_TOKEN_STRATEGY, request);
  }
}

/**
 * Has the credential of every route that is not public looked at before anything of the body is read; a refused one is
 * answered at once. What is permitted is for `PrincipalGuard` to say.
 */
export function resolveCredentials(fastify: FastifyInstance, resolver: CredentialResolver): void {
  fastify.addHook('onRequest', async (request: IdentifiedRequest) => {
    if (!isPrivate(request)) return;
    request.kbIdentity = await resolver.resolve(request);
  });
}

/** True for a route that asks for a credential. A path with an empty parameter leads nowhere, and is 404 for everybody. */
function isPrivate(request: FastifyRequest): boolean {
  const { access } = request.routeOptions.config;
  if (access === undefined || access === 'public') return false;
  if (access.anonymous === true && strongestCredential(request) === null) return false;
  return !Object.values(request.params as Readonly<Record<string, string>>).includes('');
}

function strongestCredential({ headers }: FastifyRequest): PresentCredential | null {
  const { authorization } = headers;
  if (authorization !== undefined) {
    const value = /^bearer +(.*)$/i.exec(authorization)?.[1]?.trim() ?? '';
    if (value === '') return { kind: NO_BEARER, value };
    return { kind: value.startsWith('kb_') ? 'API key' : 'access token', value };
  }
  const key = headers['x-api-key'];
  return key === undefined ? null : { kind: 'API key', value: String(key).trim() };
}
