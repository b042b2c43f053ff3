import { isIP } from 'node:net';
import { list, type Setting } from './setting.js';

/** What an entry of a list may be. */
export interface EntryForm {
  /** What is right, for the error of a list in which nothing is. */
  readonly allowed: string;
  /** The entry as it is kept; undefined for one that could never match anything. */
  readonly read: (entry: string) => string | undefined;
}

/** A list whose wrong entries are ignored beside right ones, which then go on working; `ignored` names them for the log. */
export interface NetworkNames extends Setting<readonly string[]> {
  readonly ignored: (text: string) => readonly string[];
}

/** A list of such entries, separated by commas. A list of wrong entries alone is refused. */
export function networkNames(name: string, form: EntryForm, about: Parameters<typeof list>[1]): NetworkNames {
  const setting = list(name, about);
  const ignored = (text: string): string[] => setting.parse(text).filter((entry) => form.read(entry) === undefined);
  return {
    ...setting,
    ignored,
    parse: (text) => {
      const entries = setting.parse(text);
      const read = entries.flatMap((entry) => form.read(entry) ?? []);
      if (read.length === 0 && entries.length > 0) throw new Error(`must be ${form.allowed}`);
      return read;
    },
  };
}

/** Hosts in lower case, each with its port where one is written. */
export const HOSTS: EntryForm = {
  allowed: 'hosts alone, such as docs.example.com, separated by commas',
  read: (host) => (/^[^\s/\\?#@*]+$/.test(host) && URL.canParse(`https://${host}`) ? host.toLowerCase() : undefined),
};

/** `file://`, as pages of an app send it that are files of their own. */
const WITHOUT_HOST = /^[a-z][a-z0-9+.-]*:\/\/$/i;

/** Origins as browsers send them; `*` and `null` stay as they are. */
export const ORIGINS: EntryForm = {
  allowed: 'origins such as https://app.example.com, without a path, or *',
  read: (origin) => {
    if (origin === '*' || origin === 'null' || WITHOUT_HOST.test(origin)) return origin;
    const isOrigin = /^[a-z][a-z0-9+.-]*:\/\/[^\s/\\?#@*]+\/?$/i.test(origin) && URL.canParse(origin);
    if (!isOrigin) return undefined;
    const { protocol, host } = new URL(origin);
    return `${protocol}//${host}`;
  },
};

/** Names of networks that a proxy may be in, beside addresses. */
const NETWORKS = ['loopback', 'linklocal', 'uniquelocal'];

/** Addresses and networks of proxies, or `true`. */
export const PROXIES: EntryForm = {
  allowed: `addresses or networks such as 10.0.0.7 or 10.0.0.0/8, or ${NETWORKS.join(', ')}, separated by commas, or true`,
  read: (proxy) => (proxy === 'true' || NETWORKS.includes(proxy) || isNetwork(proxy) ? proxy : undefined),
};

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
