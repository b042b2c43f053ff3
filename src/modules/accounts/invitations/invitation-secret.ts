import { createHash, randomBytes } from 'node:crypto';

/** The secret of an invitation as the inviter gets it, once, and the hash that is kept of it. */
export interface NewInvitationSecret {
  readonly secret: string;
  readonly hash: string;
}

/** `kbi_` and 256 random bits in base64url. */
export function makeInvitationSecret(): NewInvitationSecret {
  const secret = `kbi_${randomBytes(32).toString('base64url')}`;
  return { secret, hash: hashInvitationSecret(secret) };
}

/** SHA-256, hexadecimal; looking up a hash tells nothing about the secret by its time. */
export function hashInvitationSecret(secret: string): string {
  return createHash('sha256').update(secret, 'utf8').digest('hex');
}
