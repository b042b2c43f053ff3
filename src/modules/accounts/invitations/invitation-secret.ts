import { createHash, randomBytes } from 'node:crypto';

/** The secret of an invitation as the inviter gets it once, with the stored hash. */
export interface NewInvitationSecret {
  readonly secret: string;
  readonly hash: string;
}

/** `kbi_` and 256 random bits in base64url. */
export function makeInvitationSecret(): NewInvitationSecret {
  const secret = `kbi_${randomBytes(32).toString('base64url')}`;
  return { secret, hash: hashInvitationSecret(secret) };
}

/** SHA-256, hexadecimal; the duration of a lookup by hash reveals nothing about the secret. */
export function hashInvitationSecret(secret: string): string {
  return createHash('sha256').update(secret, 'utf8').digest('hex');
}
