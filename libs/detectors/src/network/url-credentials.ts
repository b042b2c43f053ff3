import type { Detector, Match } from '../finding.js';

const LONGEST_AUTHORITY = 512;
const SCHEME = /[A-Za-z][A-Za-z0-9+.-]{0,30}$/;
/** What documentation writes where a login belongs. */
const PLACEHOLDER =
  /^(?:(?:user(?:name)?|login|name)?:(?:pass(?:word|wd)?|pwd|secret|token|xxx+|\*+|\.+|…)|.{0,60}[<>{}$].{0,200})$/i;

function matchAt(text: string, at: number): Match | undefined {
  const scheme = SCHEME.exec(text.slice(Math.max(0, at - 31), at))?.[0];
  if (scheme === undefined) return undefined;
  const from = at + 3;
  const rest = text.slice(from, from + LONGEST_AUTHORITY);
  const length = rest.search(/[\s/?#"'<>\u3000-\u303f\uff00-\uff0f]/);
  const authority = length < 0 ? rest : rest.slice(0, length);
  const sign = authority.lastIndexOf('@');
  if (sign < 1) return undefined;
  const login = authority.slice(0, sign);
  const colon = login.indexOf(':');
  const host = authority.slice(sign + 1).replace(/[.,;:)\]]{1,3}$/, '');
  if (host === '') return undefined;
  const place = { start: at - scheme.length, end: from + sign + 1 + host.length };
  if (colon >= 0 && colon < login.length - 1) {
    return { rule: 'password', ...place, score: PLACEHOLDER.test(login) ? 0.3 : 0.95 };
  }
  const isToken = /^https?$/i.test(scheme) && /^(?=.*\d)[A-Za-z0-9_-]{16,}$/.test(login);
  return isToken ? { rule: 'token', ...place, score: 0.7 } : undefined;
}

/** URLs that carry a password or a token: `postgres://anna:s3cret@db.internal`. The place is the URL up to its host. */
export const urlCredentials: Detector = {
  severity: 'critical',
  isNumber: false,
  find(text) {
    const matches: Match[] = [];
    for (let at = text.indexOf('://'); at >= 0; at = text.indexOf('://', at + 3)) {
      const match = matchAt(text, at);
      if (match !== undefined) matches.push(match);
    }
    return matches;
  },
};
