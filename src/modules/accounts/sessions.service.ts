import { Injectable } from '@nestjs/common';
import { Settings } from '#libs/config';
import type { AccountId } from '#libs/common';
import { RefusedCredentials, type Client } from '#libs/tenancy';
import type { CredentialsRow } from './account.entity.js';
import { AccessTokens } from './access-tokens.js';
import { accountErrors } from './accounts.errors.js';
import type { TokenResponse } from './dto/session.dto.js';
import { LoginCredentials } from './login-credentials.js';
import { LoginThrottle } from './login-throttle.js';
import { OwnInvitationsService } from './own-invitations.service.js';
import { hashRefreshToken, makeRefreshToken } from './refresh-token.js';
import { RefreshTokensRepository } from './refresh-tokens.repository.js';

interface Session {
  readonly accountId: AccountId;
  readonly tokenVersion: number;
  readonly refreshToken: string;
}

/** Login, refresh and logout: what happens before anybody is known. */
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

  /** An unknown address, a wrong password and a disabled account answer the same after the same work. @throws `accounts.login_failed`, `accounts.login_blocked`, `accounts.busy` */
  async login(email: string, password: string, client: Client): Promise<TokenResponse> {
    const account = await this.credentials.find(email);
    const attempt = { purpose: 'login', email, accountId: account?.id, client } as const;
    const session = await this.throttle.attempt(attempt, () => this.begin(account, password));
    if (session === undefined) throw accountErrors.login_failed();
    await this.invitations.acceptAtFirstLogin(session.accountId, client);
    return this.respond(session);
  }

  /** @throws `accounts.refresh_token_invalid` */
  async refresh(token: string, client: Client): Promise<TokenResponse> {
    const successor = makeRefreshToken();
    const rotation = await this.refreshTokens.rotate(hashRefreshToken(token), successor.hash, this.refreshSeconds);
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

  /** A session for the right password; undefined for a wrong one, an unknown address and a disabled account. */
  private async begin(account: CredentialsRow | undefined, password: string): Promise<Session | undefined> {
    const proven = await this.credentials.prove(account, password);
    if (proven === undefined) return undefined;
    const { account: owner, passwordHash } = proven;
    const refresh = makeRefreshToken();
    const begun = await this.refreshTokens.beginFamily(owner.id, passwordHash, refresh.hash, this.refreshSeconds);
    return begun === null ? undefined : { ...begun, refreshToken: refresh.token };
  }

  private async respond({ accountId, tokenVersion, refreshToken }: Session): Promise<TokenResponse> {
    const access = await this.accessTokens.issue({ accountId, tokenVersion });
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
