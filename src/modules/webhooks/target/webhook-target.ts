import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

export const MAX_URL_LENGTH = 2048;
const LOWEST_FREE_PORT = 1024;
const WEB_PORTS = new Set([80, 443]);

/** Names that are never public, whatever a resolver answers. */
const PRIVATE_NAMES = ['localhost', 'local', 'localdomain', 'internal', 'intranet', 'lan', 'home.arpa'];
/** Addresses of cloud-internal services in public ranges. */
const METADATA_ADDRESSES = new Set(['168.63.129.16']);

/** Why an address is refused: a stable code, and the remedy. */
export interface TargetProblem {
  readonly code: string;
  readonly detail: string;
}

/** A target that is allowed, as far as can be decided without a resolver. */
export interface WebhookTarget {
  readonly url: URL;
  /** Host name or address without brackets, for the connection. */
  readonly host: string;
  /** Whether WEBHOOK_ALLOWED_HOSTS lists the host; any address is allowed then. */
  readonly isAllowed: boolean;
}

const problem = (code: string, detail: string): { readonly problem: TargetProblem } => ({ problem: { code, detail } });

/** Checks the URL itself; host names must still be resolved. */
export function judgeUrl(
  text: string,
  allowedHosts: readonly string[],
): { readonly target: WebhookTarget } | { readonly problem: TargetProblem } {
  if (text.length > MAX_URL_LENGTH) return problem('max_length', `url must have ${MAX_URL_LENGTH} characters or fewer`);
  const written = /^(https?):\/\/([^/?#]+)/i.exec(text);
  if (written === null || /[\s\\\p{Cc}]/u.test(text) || !URL.canParse(text)) {
    return problem(
      'is_url',
      'url must be a URL that begins with https:// or http://, without white space or backslashes',
    );
  }
  const url = new URL(text);
  const authority = written[2]!;
  if (authority.includes('@')) return problem('no_credentials', 'url must not hold a user name or password');
  const host = url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  if (host === '') return problem('is_url', 'url must name a host');
  if (isListed(authority, allowedHosts)) return { target: { url, host, isAllowed: true } };
  const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80));
  if (!WEB_PORTS.has(port) && port < LOWEST_FREE_PORT) {
    return problem('port_not_allowed', `url must have port 80, 443 or one from ${LOWEST_FREE_PORT} to 65535`);
  }
  const isPrivate = isIP(host) > 0 ? !isPublicAddress(host) : isPrivateName(host);
  if (isPrivate) return problem('target_not_public', NOT_PUBLIC);
  return { target: { url, host, isAllowed: false } };
}

/** Error for a host whose addresses are not all public; it does not contain the addresses. */
export const NOT_PUBLIC =
  'url must lead to a public address; private, loopback, link-local and other special ones are refused unless WEBHOOK_ALLOWED_HOSTS lists the host as it is written in the URL';

/** Whether an address is public. An IPv6 address that wraps an IPv4 address is decided by the latter. */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  if (parsed.range() !== 'unicast' || METADATA_ADDRESSES.has(parsed.toString())) return false;
  // IPv6: only the assigned range 2000::/3.
  return parsed.kind() === 'ipv4' || (parsed as ipaddr.IPv6).match(ipaddr.IPv6.parse('2000::'), 3);
}

/** A host is compared with the list literally, so that 127.0.0.1 does not include localhost or other forms of the address. */
function isListed(authority: string, allowedHosts: readonly string[]): boolean {
  const written = authority.toLowerCase();
  const withoutPort = written.replace(/:\d*$/, '');
  return allowedHosts.some((entry) => entry.toLowerCase() === written || entry.toLowerCase() === withoutPort);
}

function isPrivateName(host: string): boolean {
  const name = host.toLowerCase();
  return !name.includes('.') || PRIVATE_NAMES.some((suffix) => name === suffix || name.endsWith(`.${suffix}`));
}
