import { createHash } from 'node:crypto';
import { networkOf } from '#libs/tenancy';

/** The network and e-mail address of a login attempt, as hashes, because personal data need not be readable where attempts are counted. */
export interface LoginOrigin {
  readonly emailKey: string;
  readonly networkKey: string;
}

export function loginOrigin(email: string, address: string): LoginOrigin {
  return { emailKey: emailKeyOf(email), networkKey: hashOf(networkOf(address)) };
}

/** The same for every spelling of the address of an account. */
export function emailKeyOf(email: string): string {
  return hashOf(email.trim().toLowerCase());
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
