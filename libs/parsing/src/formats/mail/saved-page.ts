import { decodeBody, essenceOf, parameterOf, partsOf, type MimePart } from './mime-part.js';

/** Parts within parts. */
const MAX_DEPTH = 2;
const PAGES = new Set(['text/html', 'application/xhtml+xml']);

/** What the style sheets that were saved with a page say. */
export function stylesOf(message: MimePart): string {
  const sheets = [...partsOf(message)].filter(({ headers }) => essenceOf(headers.get('content-type')) === 'text/css');
  return sheets.map((sheet) => decodeBody(sheet).toString('utf8')).join('\n');
}

/** Whether a message is a page that a browser saved, whatever its file is called. */
export function isSavedPage({ headers }: MimePart): boolean {
  if (essenceOf(headers.get('content-type')) !== 'multipart/related') return false;
  return headers.has('snapshot-content-location') || /^<?saved by /i.test(headers.get('from') ?? '');
}

/** The part that is the page: the one that the message names, or else the first page in it. Frames and styles are others. */
export function pageOf(message: MimePart, depth = 0): MimePart | undefined {
  if (PAGES.has(essenceOf(message.headers.get('content-type')))) return message;
  const start = parameterOf(message.headers.get('content-type'), 'start');
  let first: MimePart | undefined;
  for (const part of partsOf(message)) {
    const type = essenceOf(part.headers.get('content-type'));
    // Old browsers put the page and its plain text into a part of their own.
    const isNested = type === 'multipart/alternative' && depth < MAX_DEPTH;
    const page = isNested ? pageOf(part, depth + 1) : PAGES.has(type) ? part : undefined;
    if (page === undefined) continue;
    if (start === undefined || part.headers.get('content-id') === start) return page;
    first ??= page;
  }
  return first;
}
