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

/** A password that someone gives for an account. */
export interface PasswordAttempt {
  readonly purpose: 'login' | 'password_check';
  readonly email: string;
  /** The accounts whose password it may be; none where no account has the e-mail address. */
  readonly accountIds: readonly AccountId[];
  readonly client: Client;
}

/** Whose password was given rightly. */
export interface RightPassword {
  readonly accountId: AccountId;
  /** No one has logged in with this password before. */
  readonly isFirstUse: boolean;
}

/** Networks beside the caller's that fail with one e-mail address within an hour before strangers are slowed down more. */
export const SIEGE = 20;
/** Origins that are remembered although no one has logged in from them. */
const MOST_ORIGINS = 100_000;
/** Attempts of this process between two prunings. */
const PRUNE_EVERY = 500;

/**
 * Slows down guessing: each failure of an origin (an e-mail address and a network, `networkOf`) costs it a growing delay, whether
 * an account has the address or not. No origin is ever refused for what others did: where many guess at one address, strangers have
 * fewer attempts at once, and one always. An attempt counts before it is checked, so that parallel ones cannot slip through. Several
 * accounts may have the address, one of them the guesser's own: a success forgets failures a bounded number of times a day, and the first one with a
 * new password counts as a guess at the others, whether there are others or not.
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
   * Runs `check`, told how its password waits its turn, if the origin may try now, counts what comes of it and logs it: undefined is a failure. A check that throws
   * counts nothing. @throws `accounts.login_blocked`
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

  /** A line for each account that it may have been meant for; one without an account where there is none. */
  private note({ purpose, accountIds, client }: PasswordAttempt, outcome: 'failed' | 'blocked'): void {
    const event = `auth.${purpose}_${outcome}` as const;
    if (accountIds.length === 0) this.security.note(event, client, {});
    for (const accountId of accountIds) {
      this.security.note(event, client, { accountId });
      this.records.failed(accountId, client, outcome);
    }
  }

  /** Writes that an account has logged in, by a password or at its issuer. */
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
