import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Cache } from '#libs/cache';
import { Settings } from '#libs/config';
import { accountErrors } from './accounts.errors.js';

/** Failed attempts for one e-mail address before it is refused. */
export const FAILED_LOGIN_LIMIT = 10;
const WINDOW_MINUTES = 15;

/**
 * Counts attempts per e-mail address, whether an account has it or not, so that one address cannot be guessed at from many
 * machines. An attempt counts before it is checked, so that parallel ones cannot slip through; a success begins anew.
 */
@Injectable()
export class LoginThrottle {
  constructor(
    private readonly cache: Cache,
    private readonly settings: Settings,
  ) {}

  /** @throws `accounts.login_blocked` */
  async admit(email: string): Promise<void> {
    if (this.settings.values.rateLimits === 'off') return;
    const attempts = await this.cache.increment(keyOf(email), WINDOW_MINUTES * 60_000);
    if (attempts.value <= FAILED_LOGIN_LIMIT) return;
    throw accountErrors.login_blocked(
      { limit: FAILED_LOGIN_LIMIT, minutes: WINDOW_MINUTES },
      { retryAfter: Math.ceil(attempts.expiresInMs / 1000) },
    );
  }

  /** Forgets the attempts after a success. */
  async forget(email: string): Promise<void> {
    if (this.settings.values.rateLimits === 'off') return;
    await this.cache.delete(keyOf(email));
  }
}

/** Addresses are hashed: they are personal data, and a cache is no place for them. */
function keyOf(email: string): string {
  return `loginattempts:${createHash('sha256').update(email.trim().toLowerCase()).digest('hex')}`;
}
