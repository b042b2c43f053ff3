import { DESTINATION, destinationsIn, trimUrl, URL_REST, URL_START } from './link-destinations.js';

/** What was given out for the beginning of a text; undefined: more of the text must be there to tell. */
type Taken = { readonly out: string; readonly used: number } | undefined;

/** Nothing is held longer than this; what is then still open is no link any more. */
const MAX_HELD = 2_000;
const NEXT = new RegExp(`[<![\\]\`\\n]|${URL_START.source}`, 'gi');
/** The end of a text that may be the beginning of a link. */
const MAYBE_URL = /(?:[a-z][a-z0-9+.-]{0,30}:?\/?|w{1,3})$/i;
const TAG = /^<(?:!--[^]*?--|[!?]?\/?[a-z](?:[^"'<>]|"[^"]*"|'[^']*')*)>/i;
const PLAIN_TAG =
  /^<\/?(?:b|i|u|s|em|strong|br|hr|p|ul|ol|li|sub|sup|code|pre|kbd|q|blockquote|table|thead|tbody|tr|td|th)\s*\/?>$/i;
const AUTOLINK = /^<([a-z][a-z0-9+.-]{0,30}:[^\s<>]*|[^\s<>@]+@[^\s<>@]+)>/i;

/**
 * Takes links and images out of an answer whose destination stands in none of its sources: Markdown, HTML, autolinks, definitions and
 * plain addresses, those in code too. Of a link its text stays, of an image nothing. For text that arrives in pieces; however it is cut,
 * the result is the same.
 */
export class LinkFilter {
  /** How many were taken out. */
  removed = 0;
  private pending = '';
  private fence: string | undefined;
  private isLineStart = true;
  /** Inside of an address that is too long to be held. */
  private isDropping = false;

  /** Names of tags that were taken out and are not closed yet. */
  private readonly open: string[] = [];

  /** @param sources texts whose links may stay. */
  constructor(
    private readonly sources: readonly string[],
    private readonly allowed: ReadonlySet<string> = destinationsIn(sources),
  ) {}

  /** Takes the next piece and gives out the text that can no longer change; it may be empty. */
  push(piece: string): string {
    this.pending += piece;
    return this.take(false);
  }

  /** The rest, when no more pieces come. */
  flush(): string {
    return this.take(true);
  }

  private take(isEnd: boolean): string {
    let out = '';
    while (this.pending !== '') {
      const mustEnd = isEnd || this.pending.length > MAX_HELD;
      const taken = this.isDropping ? this.drop() : this.step(this.pending, mustEnd);
      if (taken === undefined) break;
      const raw = this.pending.slice(0, taken.used);
      this.isLineStart = raw === '' ? this.isLineStart : /(?:^|\n)[ \t]*$/.test((this.isLineStart ? '' : '.') + raw);
      out += taken.out;
      this.pending = this.pending.slice(taken.used);
    }
    return out;
  }

  private drop(): Taken {
    const used = URL_REST.exec(this.pending)![0].length;
    this.isDropping = used === this.pending.length;
    return { out: '', used };
  }

  private step(text: string, isEnd: boolean): Taken {
    if (this.isLineStart && /^[`~]/.test(text)) {
      const fence = this.fenceLine(text, isEnd);
      if (fence !== null) return fence;
    }
    const next = text.search(NEXT);
    if (next !== 0) return plain(text, next, isEnd);
    if (/^[a-z]/i.test(text)) return this.url(text, isEnd);
    if (this.fence !== undefined || text[0] === '\n') return { out: text[0]!, used: 1 };
    if (text[0] === '<') return this.tag(text, isEnd);
    if (text[0] === '`') return this.code(text, isEnd);
    if (text[0] === ']') return this.tail(text, isEnd);
    return this.bracket(text, isEnd);
  }

  /** Null when the line is none. */
  private fenceLine(text: string, isEnd: boolean): Taken | null {
    const run = /^(?:`+|~+)/.exec(text)![0];
    if (run.length === text.length && !isEnd) return undefined;
    if (run.length < 3) return null;
    if (this.fence === undefined) this.fence = run;
    else if (run.startsWith(this.fence)) this.fence = undefined;
    return { out: run, used: run.length };
  }

  private url(text: string, isEnd: boolean): Taken {
    const run = URL_REST.exec(text)![0];
    if (run.length === text.length && !isEnd) return undefined;
    this.isDropping = run.length === text.length && text.length > MAX_HELD;
    const url = trimUrl(run);
    if (url !== '' && this.allowed.has(url)) return { out: url, used: url.length };
    this.removed += 1;
    return { out: '', used: Math.max(1, url.length) };
  }

  private tag(text: string, isEnd: boolean): Taken {
    const link = AUTOLINK.exec(text);
    const tag = link ?? TAG.exec(text);
    if (tag !== null) {
      const [whole, destination] = tag;
      const stays = link === null ? this.keepsTag(whole) : this.allowed.has(destination!);
      if (!stays && !whole.startsWith('</')) this.removed += 1;
      return { out: stays ? whole : '', used: whole.length };
    }
    const mayBeTag = /^<(?:$|[a-z!?/])/i.test(text);
    if (mayBeTag && !isEnd) return undefined;
    // One that is never closed is read as a tag by some browsers.
    const isOpenTag = mayBeTag && /[=/!]/.test(text);
    if (isOpenTag) this.removed += 1;
    return { out: isOpenTag ? '' : '<', used: 1 };
  }

  private code(text: string, isEnd: boolean): Taken {
    const run = /^`+/.exec(text)![0];
    const line = text.split('\n', 1)[0]!;
    const close = line.indexOf(run, run.length);
    if (close < 0 && line.length === text.length && !isEnd) return undefined;
    if (close < 0) return { out: run, used: run.length };
    const inner = text.slice(run.length, close);
    return { out: run + this.withoutUrls(inner) + run, used: close + run.length };
  }

  /** A link whose text was too long to be held. */
  private tail(text: string, isEnd: boolean): Taken {
    if (text === ']' && !isEnd) return undefined;
    if (text[1] !== '(') return { out: ']', used: 1 };
    const target = DESTINATION.exec(text.slice(1));
    if (target === null && !isEnd && !/[\n)]/.test(text)) return undefined;
    if (target === null || this.isAllowed(target)) return { out: ']', used: 1 };
    this.removed += 1;
    return { out: ']', used: 1 + target[0].length };
  }

  private bracket(text: string, isEnd: boolean): Taken {
    const from = text[0] === '!' ? 1 : 0;
    if (text.length === from && !isEnd) return undefined;
    if (text[from] !== '[') return { out: text[0]!, used: 1 };
    const close = closingBracket(text, from);
    if (close === undefined && !isEnd && !/\n[ \t]*\n/.test(text)) return undefined;
    if (close === undefined) return { out: text.slice(0, from + 1), used: from + 1 };
    const behind = text.slice(close + 1);
    if (behind === '' && !isEnd) return undefined;
    if (behind.startsWith(':') && this.isLineStart) return this.definition(text, isEnd);
    if (!behind.startsWith('(')) return { out: text.slice(0, from + 1), used: from + 1 };
    const target = DESTINATION.exec(behind);
    if (target === null && !isEnd && !/[\n)]/.test(behind)) return undefined;
    if (target === null) return { out: text.slice(0, from + 1), used: from + 1 };
    return this.inline(text.slice(from + 1, close), target, from === 1, close + 1 + target[0].length);
  }

  private inline(label: string, target: RegExpExecArray, isImage: boolean, used: number): Taken {
    const shown = this.nested(label);
    if (this.isAllowed(target)) return { out: `${isImage ? '!' : ''}[${shown}]${target[0]}`, used };
    this.removed += 1;
    if (isImage) return { out: '', used };
    return { out: /^[\d\s,;]+$/.test(label) ? `[${label}]` : shown, used };
  }

  private definition(text: string, isEnd: boolean): Taken {
    const end = text.indexOf('\n');
    if (end < 0 && !isEnd) return undefined;
    const line = end < 0 ? text : text.slice(0, end + 1);
    const destination = /^\[[^\]]*\]:\s*<?([^\s>]*)/.exec(line)?.[1];
    if (destination !== undefined && this.allowed.has(destination)) return { out: line, used: line.length };
    this.removed += 1;
    return { out: '', used: line.length };
  }

  private nested(label: string): string {
    const filter = new LinkFilter(this.sources, this.allowed);
    const shown = filter.push(label) + filter.flush();
    this.removed += filter.removed;
    return shown;
  }

  private withoutUrls(code: string): string {
    let [out, rest] = ['', code];
    for (let at = rest.search(URL_START); at >= 0; at = rest.search(URL_START)) {
      const url = this.url(rest.slice(at), true)!;
      out += rest.slice(0, at) + url.out;
      rest = rest.slice(at + url.used);
    }
    return out + rest;
  }

  private isAllowed([, bracketed, bare]: RegExpExecArray): boolean {
    return this.allowed.has(bracketed ?? bare ?? '');
  }

  private keepsTag(tag: string): boolean {
    const [, slash, name] = /^<(\/?)([a-z][\w-]*)/i.exec(tag) ?? [];
    const opened = slash === '/' ? this.open.lastIndexOf(name!.toLowerCase()) : -1;
    if (opened >= 0) this.open.splice(opened, 1);
    else if (PLAIN_TAG.test(tag) || this.sources.some((source) => source.includes(tag))) return true;
    else if (slash === '' && this.open.length < 100) this.open.push(name!.toLowerCase());
    return false;
  }
}

/** Text without any beginning of a link, but for its end, which may be one. */
function plain(text: string, next: number, isEnd: boolean): Taken {
  if (next > 0) return { out: text.slice(0, next), used: next };
  const held = isEnd ? 0 : (MAYBE_URL.exec(text)?.[0].length ?? 0);
  const used = text.length - held;
  return used === 0 ? undefined : { out: text.slice(0, used), used };
}

/** Where the bracket that opens at `from` closes, brackets inside counted; undefined when it does not, or not in this paragraph. */
function closingBracket(text: string, from: number): number | undefined {
  let depth = 0;
  for (let i = from; i < text.length; i++) {
    if (text[i] === '\n' && /^\n[ \t]*\n/.test(text.slice(i, i + 40))) return undefined;
    if (text[i] === '[') depth += 1;
    else if (text[i] === ']' && --depth === 0) return i;
  }
  return undefined;
}
