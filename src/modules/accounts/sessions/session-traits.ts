import { prefixOf, type Client } from '#libs/tenancy';

const MOST_USER_AGENT = 200;

/** Traits by which the owner recognises a session. */
export interface SessionTraits {
  /** Whether the refresh token is in a cookie of a browser. */
  readonly isInCookie: boolean;
  /** `User-Agent` of the client, cut to 200 characters. */
  readonly userAgent: string | null;
  /** The /24 of an IPv4 address or the /48 of an IPv6 address: the approximate place, not the person. */
  readonly network: string | null;
}

/** The traits of a session from the request of its client. */
export function traitsOf({ address, userAgent }: Client): Omit<SessionTraits, 'isInCookie'> {
  const text = userAgent?.replaceAll(/[^\x20-\x7e]/g, '').slice(0, MOST_USER_AGENT) ?? '';
  return { userAgent: text === '' ? null : text, network: address === '' ? null : prefixOf(address) };
}
