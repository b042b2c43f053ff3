/** A stretch of a text that some renderer would make a link of; `end` exclusive. */
export interface Address {
  readonly start: number;
  readonly end: number;
}

/** A cheap test for texts without any. */
const TRIGGER = /:\/\/|www\.|@|\/\/|\.[a-z]{2}/i;
const LABELS = '(?<![\\p{L}\\p{N}_@/.:-])(?:[\\p{L}\\p{N}](?:[\\p{L}\\p{N}-]{0,61}[\\p{L}\\p{N}])?\\.)+';
/** Endings of host names that renderers know which look for names without a scheme. */
const ENDINGS = '(?:com|org|net|edu|gov|info|biz|pro|web|xxx|aero|asia|coop|museum|name|shop|app|dev|[a-z]{2})';
/** Two letters that are mostly the ending of a file's name, an abbreviation or a word, not a country. */
const NO_COUNTRY =
  /\.(?:md|py|sh|rs|pl|so|cc|ps|mk|mm|st|tf|vi|ml|js|ts|go|gz|xz|bz|ui|db|cs|vb|hs|ex|kt|rb|mp|it|is|in|no|to|at|be|do|as|by|my|me|we|he|or|if|of|on|up|an|us|am|pm|id|kg|km|cm|mg|hz|kw|ii|iv|th|nd|rd)$/i;
/** What tells an address: the slashes behind its scheme, `www.`, the @ of mail before a host, `//host`, the name of a host alone. */
const ANCHOR = new RegExp(
  [
    '(?<scheme>:\\/\\/+(?=[^\\s/]))',
    '(?<www>www\\.(?=[^\\s.]))',
    '(?<mail>@[\\p{L}\\p{N}_-]+(?:\\.[\\p{L}\\p{N}_-]+)+)',
    '(?<slashes>(?<![:/\\p{L}\\p{N}])\\/\\/(?=[\\p{L}\\p{N}-]+\\.[\\p{L}\\p{N}]|localhost))',
    `(?<host>${LABELS}${ENDINGS}(?![\\p{L}\\p{N}_@+-])(?!\\.[\\p{L}\\p{N}])(?::\\d+)?)`,
  ].join('|'),
  'giu',
);
/** What may be before an anchor. Longer beginnings are cut: what is left of them is no address any more. */
const MAX_BEGINNING = 256;
const SCHEME = /[a-z0-9+.-]*$/i;
const MAILBOX = /(?:(?:mailto|xmpp):)?[\p{L}\p{N}.!#$%&'*+/=?^_{|}~-]+$/u;
/** What belongs to an address, up to white space, quotes, angle brackets, the marker of a citation and the end of a label. */
const REST = /(?:(?!\[\d{1,3}\]|\]\()[^\s<>"'`“”„«»「」『』，。、；！？（）])*/uy;
/** What ends a sentence or a bracket around an address, not the address. */
const TRAILING = '.,;:!?])}*_~|\\';

/** The addresses of a text, in order and apart from each other: with a scheme, `www.`, `//host`, of mail, and names of hosts alone. */
export function findAddresses(text: string): Address[] {
  if (!TRIGGER.test(text)) return [];
  const found: Address[] = [];
  ANCHOR.lastIndex = 0;
  for (let match = ANCHOR.exec(text); match !== null; match = ANCHOR.exec(text)) {
    const last = found.at(-1);
    const address = addressAt(text, match, last?.end ?? 0);
    if (address === undefined) continue;
    ANCHOR.lastIndex = address.end;
    if (last?.end === address.start) found[found.length - 1] = { start: last.start, end: address.end };
    else found.push(address);
  }
  return found;
}

/** Whether a word may be an address, or the beginning of one. */
export function mayBeAddress(word: string): boolean {
  return /[:/@\\]|www|\.\p{L}/iu.test(word);
}

function addressAt(text: string, match: RegExpExecArray, from: number): Address | undefined {
  const { index, groups } = match;
  const [anchor] = match;
  if (groups!['host'] !== undefined) {
    const host = text[index + anchor.length] === '/' ? withRest(text, index, anchor) : anchor;
    return isHostName(host) ? { start: index, end: index + lengthWithoutTail(host) } : undefined;
  }
  const before = text.slice(Math.max(from, index - MAX_BEGINNING), index);
  if (groups!['mail'] !== undefined) {
    const mailbox = MAILBOX.exec(before)?.[0];
    const end = index + lengthWithoutTail(anchor);
    return mailbox === undefined ? undefined : { start: index - mailbox.length, end };
  }
  const scheme = groups!['scheme'] === undefined ? '' : SCHEME.exec(before)![0];
  const run = withRest(text, index, anchor);
  return { start: index - scheme.length, end: index + Math.max(anchor.length, lengthWithoutTail(run)) };
}

function withRest(text: string, index: number, anchor: string): string {
  REST.lastIndex = index + anchor.length;
  return anchor + REST.exec(text)![0];
}

function isHostName(host: string): boolean {
  const [name] = host.split(/[:/]/, 1) as [string];
  if (host.length > name.length) return true;
  const ending = name.slice(name.lastIndexOf('.'));
  // “end.It begins” and “Dr.med” are no hosts; nor are numbers.
  return ending === ending.toLowerCase() && !NO_COUNTRY.test(name) && /\p{L}\p{L}/u.test(name.slice(0, -ending.length));
}

/** Without the punctuation behind it; a closing bracket stays when it has an opening one. */
function lengthWithoutTail(run: string): number {
  let end = run.length;
  while (end > 0 && TRAILING.includes(run[end - 1]!)) end -= 1;
  const text = run.slice(0, end);
  const isOpen = text.split('(').length > text.split(')').length;
  return isOpen && run[end] === ')' ? end + 1 : end;
}
