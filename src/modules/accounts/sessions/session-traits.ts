import { prefixOf, type Client } from '#libs/tenancy';

const MOST_USER_AGENT = 200;

/** What the owner of a session recognises it by. */
export interface SessionTraits {
  /** Whether a browser keeps its tokens in a cookie. */
  readonly isInCookie: boolean;
  /** What the client calls itself, cut to 200 characters. */
  readonly userAgent: string | null;
  /** The /24 of an IPv4 address, the /48 of an IPv6 address: where about, not who. */
  readonly network: string | null;
}

/** The traits of a session as its client shows them. */
export function traitsOf({ address, userAgent }: Client): Omit<SessionTraits, 'isInCookie'> {
  const text = userAgent?.replaceAll(/[^\x20-\x7e]/g, '').slice(0, MOST_USER_AGENT) ?? '';
  return { userAgent: text === '' ? null : text, network: address === '' ? null : prefixOf(address) };
}
