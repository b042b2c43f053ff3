import { Injectable } from '@nestjs/common';
import { Settings } from '#libs/config';
import { validationFailed } from '#libs/http';
import { accountErrors } from '../accounts.errors.js';
import { PasswordHasher } from './password-hasher.js';
import { PasswordStrength } from './password-strength.service.js';
import { MAX_NEW_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from '../record/request-fields.js';

/** Parts of a name or an address that people put into passwords. */
const SEPARATORS = /[^\p{L}\p{N}]+/u;

/** zxcvbn's score from which a new password is taken: "safely unguessable", more than 10^8 guesses. */
export const MIN_PASSWORD_SCORE = 3;

/**
 * The rule for new passwords, and their hashes. `personal` are the e-mail address and the names of tenants, which an attacker
 * would try first. Passwords that were set before the rule go on working.
 */
@Injectable()
export class Passwords {
  constructor(
    private readonly strength: PasswordStrength,
    private readonly hasher: PasswordHasher,
    private readonly settings: Settings,
  ) {}

  /** For what would make a password that no one could log in with. @throws `accounts.password_login_off` */
  refuseWhereOff(): void {
    if (this.settings.values.authPasswordLogin === 'off') throw accountErrors.password_login_off({});
  }

  /** Whether the password belongs to the hash, as `PasswordHasher.verify`. @throws `accounts.busy` */
  verify(stored: string | null, password: string): Promise<boolean> {
    return this.hasher.verify(stored, password);
  }

  /** What to change in a new password, as the end of a sentence that begins with its name; null for a good one. @throws `accounts.busy` */
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
   * The hash of a new password that `field` of a request carries, with the salt of `like` if there is one, a hash of another account of
   * the same e-mail address. @throws 422 that says what to change, `accounts.busy`
   */
  async hashNew(field: string, password: string, personal: readonly string[], like: string | null): Promise<string> {
    const fault = await this.findFault(password, personal);
    if (fault !== null) throw validationFailed([{ pointer: `/${field}`, code: 'password_too_weak', detail: fault }]);
    return this.hasher.hash(password, like);
  }
}

/** The words of texts that are known of an account, each text whole and in parts: its e-mail address, the name of its tenant. */
export function personalWords(...texts: readonly string[]): readonly string[] {
  const words = texts.flatMap((text) => [text, ...text.split('@'), ...text.split(SEPARATORS)]);
  return [...new Set(words.map((word) => word.trim().toLowerCase()))].filter((word) => word.length > 1);
}
