import type { Detector, Match } from './finding.js';

const LONGEST_LOCAL_PART = 64;
const LONGEST_DOMAIN = 253;
const LABEL = /^[A-Za-z0-9\u00c0-\u024f](?:[A-Za-z0-9\u00c0-\u024f-]{0,61}[A-Za-z0-9\u00c0-\u024f])?$/;
const TOP_LEVEL = /^(?:[A-Za-z]{2,24}|xn--[A-Za-z0-9-]{2,59})$/;
/** What is behind a dot in names of files and is no domain: `logo@2x.png`. */
const FILE_ENDINGS = new Set(['png', 'jpg', 'jpeg', 'gif', 'svg', 'webp', 'css', 'js', 'ts', 'json', 'html', 'pdf']);

function isLetterOrDigit(code: number): boolean {
  return (
    (code >= 48 && code <= 57) ||
    (code >= 65 && code <= 90) ||
    (code >= 97 && code <= 122) ||
    (code >= 0xc0 && code <= 0x24f)
  );
}

function isLocal(code: number): boolean {
  // . _ % + - ' ! # $ & * = ? ^ ` { | } ~ are allowed; those that end sentences or open brackets are left out.
  return (
    isLetterOrDigit(code) || code === 46 || code === 95 || code === 37 || code === 43 || code === 45 || code === 39
  );
}

function localStart(text: string, at: number): number {
  let start = at;
  while (start > 0 && at - start < LONGEST_LOCAL_PART && isLocal(text.charCodeAt(start - 1))) start -= 1;
  while (start < at && (text[start] === '.' || text[start] === "'" || text[start] === '-')) start += 1;
  return start;
}

function domainEnd(text: string, at: number): number {
  let end = at + 1;
  while (end < text.length && end - at <= LONGEST_DOMAIN) {
    const code = text.charCodeAt(end);
    if (!isLetterOrDigit(code) && code !== 45 && code !== 46) break;
    end += 1;
  }
  while (end > at + 1 && (text[end - 1] === '.' || text[end - 1] === '-')) end -= 1;
  return end;
}

/** The end of the longest domain that begins here and is one; the sentence may go on without a space: `a@b.org.Then`. */
function validDomainEnd(text: string, at: number): number | undefined {
  const end = domainEnd(text, at);
  const labels = text.slice(at + 1, end).split('.');
  const last = labels.at(-1)!;
  if (labels.length < 2 || !labels.every((label) => LABEL.test(label))) return undefined;
  if (!TOP_LEVEL.test(last) || FILE_ENDINGS.has(last.toLowerCase())) return undefined;
  return end;
}

function matchAt(text: string, at: number): Match | undefined {
  const start = localStart(text, at);
  const local = text.slice(start, at);
  if (local === '' || local.includes('..') || local.endsWith('.')) return undefined;
  const before = text.slice(Math.max(0, start - 7), start);
  if (/[/:@]$/.test(before) && !/(?:mailto:|[^/:]:|[^/]\/)$/i.test(before)) return undefined;
  const end = validDomainEnd(text, at);
  if (end === undefined) return undefined;
  const isRemote = text[end] === ':' && /[A-Za-z~/]/.test(text[end + 1] ?? '');
  return { rule: 'address', start, end, score: isRemote && local === 'git' ? 0.2 : 0.95 };
}

/** Whether the sign belongs to the login of a URL, which is a finding of its own. */
function isInLogin(text: string, at: number): boolean {
  const from = Math.max(0, at - 200);
  const scheme = text.lastIndexOf('://', at);
  return scheme >= from && !/[\s/?#"'<>]/.test(text.slice(scheme + 3, at));
}

/** Addresses of RFC 5321 as they are written in practice: no quoted local parts, a domain with a dot. */
export const email: Detector = {
  severity: 'medium',
  isNumber: false,
  find(text) {
    const matches: Match[] = [];
    for (let at = text.indexOf('@'); at >= 0; at = text.indexOf('@', at + 1)) {
      const match = matchAt(text, at);
      if (match !== undefined && !isInLogin(text, at)) matches.push(match);
    }
    return matches;
  },
};
