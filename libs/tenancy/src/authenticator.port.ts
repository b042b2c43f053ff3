import type { AccountId, ApiKeyId, DatasetId, TenantId } from '#libs/common';
import type { Role } from './request-context.js';

export interface Membership {
  /** The account that belongs to the tenant: the one that acts there, where several were joined. */
  readonly accountId: AccountId;
  readonly tenantId: TenantId;
  readonly role: Role;
}

/** An account as it is now: anyone who holds its access token has these memberships at this request. */
export interface AuthenticatedAccount {
  readonly accountId: AccountId;
  readonly platformAdmin: boolean;
  readonly defaultTenantId: TenantId | null;
  readonly memberships: readonly Membership[];
  /** What credentials of the account must agree with: it changes when those that were given out before end. Null: it does not. */
  readonly stamp: string | null;
  /** Session that its access token belongs to; absent where the token names none. */
  readonly sessionId?: string;
  /** When the access token that named it runs out; seconds since 1970. Left out where no token was read. */
  readonly expiresAt?: number;
}

/** An API key as it is now; `accountRole` is null when its account has left the tenant. */
export interface AuthenticatedApiKey {
  readonly keyId: ApiKeyId;
  readonly tenantId: TenantId;
  readonly accountId: AccountId;
  readonly accountRole: Role | null;
  readonly keyRole: Role | null;
  readonly scopes: readonly string[];
  readonly datasetIds: readonly DatasetId[] | null;
  /** Changes with the secret of the key. */
  readonly stamp: string;
}

/** Why an access token is refused; `invalid`: it is no token that can be read. */
export type TokenRefusal =
  | 'invalid'
  | 'issuer'
  | 'audience'
  | 'expired'
  | 'not_yet_valid'
  | 'algorithm'
  | 'key'
  | 'claims'
  | 'id_token'
  | 'refresh_token'
  | 'no_access_token';

/** A credential that is malformed, forged, expired, revoked or of a disabled account, with what is known of it for the log. */
export interface RefusedCredential {
  readonly refused: TokenRefusal | 'account_inactive' | 'sessions_ended' | 'unknown_or_expired' | 'wrong_secret';
  readonly accountId?: AccountId;
  readonly keyId?: ApiKeyId;
}

/** Tells whose credential it is. */
export abstract class Authenticator {
  abstract findByAccessToken(token: string): Promise<AuthenticatedAccount | RefusedCredential>;
  abstract findByApiKey(key: string): Promise<AuthenticatedApiKey | RefusedCredential>;
  /** What one of the others has found, as it is now; refused when its credential would be. An access token may have run out meanwhile. */
  abstract findNow(
    identity: AuthenticatedAccount | AuthenticatedApiKey,
  ): Promise<AuthenticatedAccount | AuthenticatedApiKey | RefusedCredential>;
}
