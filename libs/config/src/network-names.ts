import { isIP } from 'node:net';

/** The parts of a list that is separated by commas, without white space around them and without empty ones. */
function partsOf(text: string): string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

/** Hosts in lower case, each with its port where one is written. @throws Error for what is no host alone */
export function readHosts(text: string): readonly string[] {
  const hosts = partsOf(text).map((host) => host.toLowerCase());
  for (const host of hosts) {
    const isHost = /^[^\s/\\?#@*]+$/.test(host) && URL.canParse(`https://${host}`);
    if (!isHost) throw new Error('must be hosts alone, such as docs.example.com, separated by commas');
  }
  return hosts;
}

/** `file://`, as pages of an app send it that are files of their own. */
const WITHOUT_HOST = /^[a-z][a-z0-9+.-]*:\/\/$/i;

/** Origins as browsers send them; `*` and `null` stay as they are. @throws Error for what no browser sends */
export function readOrigins(text: string): readonly string[] {
  return partsOf(text).map((origin) => {
    if (origin === '*' || origin === 'null' || WITHOUT_HOST.test(origin)) return origin;
    const isOrigin = /^[a-z][a-z0-9+.-]*:\/\/[^\s/\\?#@*]+\/?$/i.test(origin) && URL.canParse(origin);
    if (!isOrigin) throw new Error('must be origins such as https://app.example.com, without a path, or *');
    const { protocol, host } = new URL(origin);
    return `${protocol}//${host}`;
  });
}

/** Names of networks that a proxy may be in, beside addresses. */
const NETWORKS = ['loopback', 'linklocal', 'uniquelocal'];

/** Addresses and networks of proxies, or `true`. @throws Error for what is neither */
export function readProxies(text: string): readonly string[] {
  const proxies = partsOf(text);
  const isKnown = (proxy: string): boolean => NETWORKS.includes(proxy) || isNetwork(proxy);
  if (!proxies.includes('true') && !proxies.every(isKnown)) {
    throw new Error(
      `must be addresses or networks such as 10.0.0.7 or 10.0.0.0/8, or ${NETWORKS.join(', ')}, separated by commas, or true`,
    );
  }
  return proxies;
}

/** An address, or one with the number of bits that its network has in common, which may be a mask such as 255.0.0.0. */
function isNetwork(text: string): boolean {
  const [address = '', bits, more] = text.split('/');
  const version = isIP(address);
  if (version === 0 || more !== undefined) return false;
  if (bits === undefined || (version === 4 && isMask(bits))) return true;
  return /^[1-9]\d{0,2}$/.test(bits) && Number(bits) <= (version === 6 ? 128 : 32);
}

/** Ones first, then zeros. */
function isMask(text: string): boolean {
  const bits = text.split('.').map((part) => Number(part).toString(2).padStart(8, '0'));
  return isIP(text) === 4 && /^1+0*$/.test(bits.join(''));
}
