import { createHash, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Settings } from '#libs/config';
import type { AccountId } from '#libs/common';
import { RefusedCredentials, type Client } from '#libs/tenancy';
import type { OwnTokenSubject } from './access-token-verifiers.service.js';
import { AccessTokens } from './access-tokens.service.js';
import { accountErrors } from '../accounts.errors.js';
import type { LoginDto, TokenResponse } from './session.dto.js';
import { LoginCredentials, type ProvenAccount } from './login-credentials.service.js';
import { LoginThrottle, type RightPassword } from './login-throttle.service.js';
import { OwnInvitationsService } from '../invitations/own-invitations.service.js';
import { RefreshTokensRepository } from './refresh-tokens.repository.js';
import { traitsOf, type SessionTraits } from './session-traits.js';

/** A refresh token as the client gets it, with the stored hash. */
interface NewRefreshToken {
  readonly token: string;
  readonly hash: string;
}

interface Session extends OwnTokenSubject {
  readonly refreshToken: string;
}

/** The tokens of a session, whether the refresh token goes into the answer or into a cookie. */
export type SessionTokens = Required<TokenResponse>;

/** Login, refresh and logout, before the caller is known. */
@Injectable()
export class SessionsService {
  constructor(
    private readonly credentials: LoginCredentials,
    private readonly refreshTokens: RefreshTokensRepository,
    private readonly accessTokens: AccessTokens,
    private readonly throttle: LoginThrottle,
    private readonly invitations: OwnInvitationsService,
    private readonly refusals: RefusedCredentials,
    private readonly settings: Settings,
  ) {}

  /**
   * An unknown address, a wrong password and a disabled account have the same answer after the same work.
   * @throws `accounts.login_failed`, `accounts.login_blocked`, `accounts.tenant_needed`, `accounts.busy`, `accounts.password_login_off`
   */
  async login(credentials: LoginDto, client: Client): Promise<SessionTokens> {
    if (this.settings.values.authPasswordLogin === 'off') throw accountErrors.password_login_off({});
    const { email, password, tenant_id: tenantId } = credentials;
    const traits = { ...traitsOf(client), isInCookie: credentials.session === 'cookie' };
    const accounts = await this.credentials.find(email, tenantId);
    const attempt = { purpose: 'login', email, accountIds: accounts.map(({ id }) => id), client } as const;
    const session = await this.throttle.attempt(attempt, async (caller) => {
      const proven = await this.credentials.prove(accounts, password, tenantId !== undefined, caller);
      return proven === undefined ? undefined : this.begin(proven, traits);
    });
    if (session === undefined) throw accountErrors.login_failed();
    await this.invitations.acceptAtFirstLogin(session.accountId, client);
    return this.respond(session);
  }

  /**
   * Begins a session in a cookie for an account that its issuer has authenticated. @throws `accounts.login_failed` for one that is disabled
   */
  async beginVouched(accountId: AccountId, client: Client): Promise<SessionTokens> {
    const session = await this.open(accountId, null, { ...traitsOf(client), isInCookie: true });
    if (session === undefined) throw accountErrors.login_failed();
    await this.throttle.noteLogin(accountId, client);
    return this.respond(session);
  }

  /** @throws `accounts.refresh_token_invalid` */
  async refresh(token: string, client: Client): Promise<SessionTokens> {
    const successor = makeRefreshToken();
    const next = { hash: successor.hash, seconds: this.refreshSeconds, traits: traitsOf(client) };
    const rotation = await this.refreshTokens.rotate(hashRefreshToken(token), next);
    if (rotation.outcome !== 'rotated') {
      const { outcome: reason, accountId } = rotation;
      this.refusals.noteRefusedRefresh(client, { reason, ...(accountId === undefined ? {} : { accountId }) });
      throw accountErrors.refresh_token_invalid();
    }
    return this.respond({ ...rotation, refreshToken: successor.token });
  }

  /** Ends the session that the token belongs to. Idempotent; an unknown token is no error. */
  async logout(token: string): Promise<void> {
    await this.refreshTokens.endFamilyOf(hashRefreshToken(token));
  }

  /** Undefined when the password or the state of the account has changed meanwhile. */
  private async begin(proven: ProvenAccount, traits: SessionTraits): Promise<(Session & RightPassword) | undefined> {
    const { account, passwordHash } = proven;
    const session = await this.open(account.id, passwordHash, traits);
    if (session === undefined) return undefined;
    const isFirstUse = await this.credentials.noteUse(proven);
    return { ...session, isFirstUse };
  }

  /** Undefined for an account that is disabled, or whose password is no longer that of the hash. */
  private async open(
    accountId: AccountId,
    passwordHash: string | null,
    traits: SessionTraits,
  ): Promise<Session | undefined> {
    const { token: refreshToken, hash: tokenHash } = makeRefreshToken();
    const family = { accountId, passwordHash, tokenHash, seconds: this.refreshSeconds, traits };
    const begun = await this.refreshTokens.beginFamily(family);
    return begun === null ? undefined : { ...begun, refreshToken };
  }

  private async respond({ refreshToken, ...subject }: Session): Promise<SessionTokens> {
    const access = await this.accessTokens.issue(subject);
    await this.refusals.noteAccepted(access.token);
    return {
      access_token: access.token,
      token_type: 'bearer',
      expires_in: access.expiresInSeconds,
      refresh_token: refreshToken,
    };
  }

  private get refreshSeconds(): number {
    return this.settings.values.refreshTokenSeconds;
  }
}

/** `kbr_` and 256 random bits in base64url. */
function makeRefreshToken(): NewRefreshToken {
  const token = `kbr_${randomBytes(32).toString('base64url')}`;
  return { token, hash: hashRefreshToken(token) };
}

/** SHA-256, hexadecimal; the duration of a lookup by hash reveals nothing about the token. */
function hashRefreshToken(token: string): string {
  return createHash('sha256').update(token, 'utf8').digest('hex');
}
