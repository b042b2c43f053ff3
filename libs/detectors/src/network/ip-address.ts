import { scoreNear } from '../context.js';
import { patternDetector } from '../pattern-detector.js';

const WORDS = {
  supports: /\b(?:ip|ipv4|ipv6|host|server|address|adresse|dirección|gateway|dns|subnet|адрес|地址|adresi|عنوان|ที่อยู่)\b/,
  contradicts:
    /(?:\bv|version|versión|release|section|chapter|kapitel|abschnitt|sürüm|верси[яи]|版本|รุ่น|الإصدار)\.?\s{0,2}$/,
};

function isOctet(part: string): boolean {
  return part === '0' || (!part.startsWith('0') && Number(part) <= 255);
}

function v4Score(value: string): number {
  const parts = value.split('.');
  if (!parts.every(isOctet)) return 0;
  // Numbers of chapters and versions look alike.
  return parts.every((part) => part.length === 1) ? 0.4 : 0.85;
}

function groupsOf(part: string): string[] {
  return part === '' ? [] : part.split(':');
}

/** Groups of hexadecimal digits, at most one `::`, perhaps an IPv4 address at the end (RFC 4291, 2.2). */
function v6Score(value: string): number {
  const halves = value.split('::');
  if (halves.length > 2) return 0;
  const all = halves.flatMap(groupsOf);
  const last = all.at(-1);
  const hasV4 = last?.includes('.') === true;
  if (hasV4 && !last.split('.').every(isOctet)) return 0;
  const hexadecimal = hasV4 ? all.slice(0, -1) : all;
  if (!hexadecimal.every((group) => /^[0-9A-Fa-f]{1,4}$/.test(group))) return 0;
  const count = hexadecimal.length + (hasV4 ? 2 : 0);
  if (halves.length === 1) return count === 8 ? 0.95 : 0;
  if (count > 7 || count === 0) return 0;
  // `a::b` is a name in several programming languages.
  return count >= 3 || /^(?:::1$|::ffff:|f[cde]|[23][0-9a-f]{3}:)/i.test(value) ? 0.9 : 0.3;
}

/** IPv4 and IPv6 addresses, with or without the length of a network behind. */
export const ipAddress = patternDetector(
  { severity: 'low' },
  {
    rule: 'ipv4',
    pattern: /(?<![\dA-Za-z_.:-])\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}(?![\dA-Za-z_]|\.\d|-\d)/g,
    score: ({ text, value, start, end }) => {
      const bare = v4Score(value);
      return bare === 0 ? 0 : scoreNear(text, { start, end }, { bare, supported: 0.95 }, WORDS);
    },
  },
  {
    rule: 'ipv6',
    pattern:
      /(?<![0-9A-Za-z_:.])(?:[0-9A-Fa-f]{0,4}:){2,8}(?:\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}|[0-9A-Fa-f]{1,4})(?![0-9A-Za-z_:]|\.\d)/g,
    score: ({ value }) => v6Score(value),
  },
);
