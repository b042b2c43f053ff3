import { Injectable } from '@nestjs/common';
import type { AccountId } from '#libs/common';
import { Settings } from '#libs/config';
import { prefixOf, SecurityLog, type Client } from '#libs/tenancy';
import { accountErrors } from '../accounts.errors.js';
import { BESIEGED_DELAYS, USUAL_DELAYS } from './login-delays.js';
import { loginOrigin, type LoginOrigin } from './login-origin.js';
import type { HashingCaller } from '../credentials/hashing-turns.js';
import { LoginOriginsRepository, type OriginStanding } from './login-origins.repository.js';
import { LoginRecords } from './login-records.service.js';

/** An attempt to prove a password, at a login or a password check. */
export interface PasswordAttempt {
  readonly purpose: 'login' | 'password_check';
  readonly email: string;
  /** The accounts whose password it may be; empty if no account has the e-mail address. */
  readonly accountIds: readonly AccountId[];
  readonly client: Client;
}

/** The account whose password was right. */
export interface RightPassword {
  readonly accountId: AccountId;
  /** Whether this is the first login with this password. */
  readonly isFirstUse: boolean;
}

/** Number of other networks that fail with one e-mail address within an hour above which unknown networks are delayed more. */
export const SIEGE = 20;
/** Maximum number of remembered origins without a login. */
const MOST_ORIGINS = 100_000;
/** Number of attempts of this process between two cleanups. */
const PRUNE_EVERY = 500;

/**
 * Slows down guessing: each failure of an origin (an e-mail address and a network, `networkOf`) causes a growing delay, whether an account
 * has the address or not. No origin is refused because of others: if many networks guess at one address, unknown networks have fewer
 * attempts at once, but always one. An attempt is counted before it is checked, so that simultaneous attempts are all counted. Several
 * accounts may have the address, one of them the attacker's own: therefore a success clears failures only a limited number of times a day,
 * and the first login with a new password counts as a guess at the other accounts, whether there are any or not.
 */
@Injectable()
export class LoginThrottle {
  private attempts = 0;

  constructor(
    private readonly origins: LoginOriginsRepository,
    private readonly settings: Settings,
    private readonly security: SecurityLog,
    private readonly records: LoginRecords,
  ) {}

  /**
   * Runs `check` if the origin may try now, counts the result and logs it; undefined is a failure. `check` gets the caller for the hashing
   * turns. A check that throws is not counted. @throws `accounts.login_blocked`
   */
  async attempt<T extends RightPassword>(
    attempt: PasswordAttempt,
    check: (caller: HashingCaller) => Promise<T | undefined>,
  ): Promise<T | undefined> {
    const origin = loginOrigin(attempt.email, attempt.client.address);
    const counts = this.settings.values.rateLimits === 'on';
    const standing = await this.origins.standing(origin, SIEGE);
    if (counts) await this.admit(origin, attempt, standing);
    const caller = { prefix: prefixOf(attempt.client.address), isKnown: standing.trusted };
    const found = await this.checked(origin, counts, () => check(caller));
    if (found === undefined) {
      this.note(attempt, 'failed');
      return undefined;
    }
    await this.origins.noteLogin(origin, found.isFirstUse);
    if (attempt.purpose === 'login') await this.noteLogin(found.accountId, attempt.client);
    return found;
  }

  /** One line for each account that may have been meant; a line without an account if there is none. */
  private note({ purpose, accountIds, client }: PasswordAttempt, outcome: 'failed' | 'blocked'): void {
    const event = `auth.${purpose}_${outcome}` as const;
    if (accountIds.length === 0) this.security.note(event, client, {});
    for (const accountId of accountIds) {
      this.security.note(event, client, { accountId });
      this.records.failed(accountId, client, outcome);
    }
  }

  /** Logs a login of an account, by a password or at its issuer. */
  async noteLogin(accountId: AccountId, client: Client): Promise<void> {
    this.security.note('auth.login_succeeded', client, { accountId });
    await this.records.succeeded(accountId, client);
  }

  private async checked<T>(
    origin: LoginOrigin,
    counted: boolean,
    check: () => Promise<T | undefined>,
  ): Promise<T | undefined> {
    try {
      return await check();
    } catch (error) {
      if (counted) await this.origins.takeBack(origin);
      throw error;
    }
  }

  private async admit(
    origin: LoginOrigin,
    attempt: PasswordAttempt,
    { trusted, others }: OriginStanding,
  ): Promise<void> {
    this.attempts += 1;
    if (this.attempts % PRUNE_EVERY === 0) await this.origins.prune(MOST_ORIGINS);
    const delays = !trusted && others >= SIEGE ? BESIEGED_DELAYS : USUAL_DELAYS;
    if (await this.origins.countAttempt(origin, delays)) return;
    const seconds = Math.max(1, Math.ceil(await this.origins.blockedSeconds(origin)));
    this.note(attempt, 'blocked');
    throw accountErrors.login_blocked({ seconds }, { retryAfter: seconds });
  }
}
