import { Injectable } from '@nestjs/common';
import { Settings } from '#libs/config';
import { validationFailed } from '#libs/http';
import { accountErrors } from '../accounts.errors.js';
import { PasswordHasher } from './password-hasher.service.js';
import { PasswordStrength } from './password-strength.service.js';
import { MAX_NEW_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from '../record/request-fields.dto.js';

/** Parts of a name or an address that people put into passwords. */
const SEPARATORS = /[^\p{L}\p{N}]+/u;

/** Minimum zxcvbn score of a new password: "safely unguessable", more than 10^8 guesses. */
export const MIN_PASSWORD_SCORE = 3;

/**
 * The rule for new passwords, and their hashes. `personal` are the e-mail address and the names of tenants, which an attacker would try
 * first. Passwords that were set before the rule remain valid.
 */
@Injectable()
export class Passwords {
  constructor(
    private readonly strength: PasswordStrength,
    private readonly hasher: PasswordHasher,
    private readonly settings: Settings,
  ) {}

  /** Refuses to set a password that could not be used for a login. @throws `accounts.password_login_off` */
  refuseWhereOff(): void {
    if (this.settings.values.authPasswordLogin === 'off') throw accountErrors.password_login_off({});
  }

  /** Whether the password belongs to the hash, as `PasswordHasher.verify`. @throws `accounts.busy` */
  verify(stored: string | null, password: string): Promise<boolean> {
    return this.hasher.verify(stored, password);
  }

  /**
   * The problem and remedy of a new password, as the end of a sentence that begins with the name of the field; null for a good password.
   * @throws `accounts.busy`
   */
  async findFault(password: string, personal: readonly string[]): Promise<string | null> {
    const length = [...password].length;
    if (length < MIN_PASSWORD_LENGTH || length > MAX_NEW_PASSWORD_LENGTH) {
      return `must have ${MIN_PASSWORD_LENGTH} to ${MAX_NEW_PASSWORD_LENGTH} characters`;
    }
    const { score, advice } = await this.strength.estimate(password, personalWords(...personal));
    if (score >= MIN_PASSWORD_SCORE) return null;
    const reasons = advice.length > 0 ? advice.join(' ') : 'Add more words that are less common.';
    return `is too easy to guess: ${reasons.replace(/\.$/, '')}`;
  }

  /**
   * The hash of a new password in `field` of a request, with the salt of `like` (the hash of another account with the same e-mail address)
   * if there is one. @throws 422 with the remedy, `accounts.busy`
   */
  async hashNew(field: string, password: string, personal: readonly string[], like: string | null): Promise<string> {
    const fault = await this.findFault(password, personal);
    if (fault !== null) throw validationFailed([{ pointer: `/${field}`, code: 'password_too_weak', detail: fault }]);
    return this.hasher.hash(password, like);
  }
}

/** Words from known texts of an account (e-mail address, name of the tenant), each text as a whole and in parts. */
export function personalWords(...texts: readonly string[]): readonly string[] {
  const words = texts.flatMap((text) => [text, ...text.split('@'), ...text.split(SEPARATORS)]);
  return [...new Set(words.map((word) => word.trim().toLowerCase()))].filter((word) => word.length > 1);
}
