import { createHash } from 'node:crypto';
import { networkOf } from '#libs/tenancy';

/** Who tries to log in as whom. Both are hashes: they are personal data that no one needs to read where they are counted. */
export interface LoginOrigin {
  readonly emailKey: string;
  readonly networkKey: string;
}

export function loginOrigin(email: string, address: string): LoginOrigin {
  return { emailKey: emailKeyOf(email), networkKey: hashOf(networkOf(address)) };
}

/** The same for every spelling that finds the same account. */
export function emailKeyOf(email: string): string {
  return hashOf(email.trim().toLowerCase());
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
