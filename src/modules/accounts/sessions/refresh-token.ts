import { createHash, randomBytes } from 'node:crypto';

/** A refresh token as the client gets it, and the hash that is kept of it. */
export interface NewRefreshToken {
  readonly token: string;
  readonly hash: string;
}

/** `kbr_` and 256 random bits in base64url. */
export function makeRefreshToken(): NewRefreshToken {
  const token = `kbr_${randomBytes(32).toString('base64url')}`;
  return { token, hash: hashRefreshToken(token) };
}

/** SHA-256, hexadecimal; looking up a hash tells nothing about the token by its time. */
export function hashRefreshToken(token: string): string {
  return createHash('sha256').update(token, 'utf8').digest('hex');
}
