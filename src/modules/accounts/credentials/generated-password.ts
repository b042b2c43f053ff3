import { randomBytes } from 'node:crypto';

/** A generated password: 120 random bits in 20 characters of letters, digits, `-` and `_`. */
export function generatePassword(): string {
  return randomBytes(15).toString('base64url');
}
