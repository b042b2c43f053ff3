/** Words of a mail, and what it quotes below them. */
export interface MailText {
  readonly own: string;
  readonly quoted: readonly QuotedPart[];
}

/** What one earlier mail said, as a later one quotes it. */
export interface QuotedPart {
  /** The line that introduces it (`On Mon, 3 Feb 2025, Maya wrote`); empty where there is none. */
  readonly source: string;
  readonly text: string;
}

interface QuotedLine {
  readonly depth: number;
  readonly text: string;
}

const MAX_ATTRIBUTION_UNITS = 300;
/** `On … wrote:`, `Am … schrieb …:`, `Le … a écrit :`, and so on: a verb of saying, beside a date or an address. */
const SAYS =
  /(?:^|\s)(?:wrote|writes|schrieb|a écrit|escribió|ha scritto|escreveu|schreef|skrev|napisał(?:\(a\))?|yazdı)(?:\s.{0,120})?\s?:$/iu;
const DATE_OR_ADDRESS = /[\d@]/;
/** What such a line begins with; one that is wrapped always does. */
const LEAD = /^(?:on|am|le|el|il|em|op|den|på|w dniu|dnia)\s/iu;
const ORIGINAL =
  /^[-_\s]{2,}(?:original message|forwarded message|ursprüngliche nachricht|weitergeleitete nachricht|message d'origine|message transféré|mensaje original|mensaje reenviado|messaggio originale|oorspronkelijk bericht)[-_\s]{2,}$/i;
const FROM = /^\*?(?:from|von|de|da|van|från|fra|od|kimden)\s?:\*?\s+\S/i;
const SENT =
  /^\*?(?:sent|date|gesendet|datum|envoyé|enviado(?: el)?|fecha|inviato|data|verzonden|skickat|sendt|dato|wysłano|tarih)\s?:\*?\s+\S/i;
const HEADER_LINE = /^\*?[\p{L} ]{1,20}\s?:\*?(?:\s|$)/u;
/** Lines of an Outlook header. */
const MOST_HEADER_LINES = 8;

/**
 * Parts the words of a mail from what it quotes below them: lines with `>`, whatever follows the header that Outlook puts above a quotation, and
 * the lines that introduce both. Quotations with own words behind them are left where they are, since those answer them. Linear.
 */
export function partQuoted(text: string): MailText {
  const lines = text.split(/\r?\n/);
  const begin = beginOfQuotation(lines);
  if (begin === lines.length) return { own: text, quoted: [] };
  return { own: lines.slice(0, begin).join('\n'), quoted: partsOf(lines.slice(begin)) };
}

/** Who said what follows lines that are nothing but a header of Outlook, and when; undefined where they are something else. */
export function sourceOfHeader(lines: readonly string[]): string | undefined {
  const isHeader = lines.length <= MOST_HEADER_LINES && lines.every((line) => HEADER_LINE.test(line));
  if (lines.length < 2 || !isHeader || !beginsHeader(lines, 0)) return undefined;
  return lines.filter((line) => FROM.test(line) || SENT.test(line)).join(', ');
}

function beginOfQuotation(lines: readonly string[]): number {
  const header = lines.findIndex((line, at) => depthOf(line).depth === 0 && beginsHeader(lines, at));
  const end = header < 0 ? lines.length : header;
  let begin = end;
  let hasQuoted = header >= 0;
  for (let at = end - 1; at >= 0; at -= 1) {
    const { depth, text } = depthOf(lines[at]!);
    if (depth === 0 && text !== '') break;
    if (depth > 0) {
      begin = at;
      hasQuoted = true;
    }
  }
  return hasQuoted ? withAttribution(lines, begin) : lines.length;
}

/** The lines above that introduce a quotation: mail programs wrap them. */
function withAttribution(lines: readonly string[], begin: number): number {
  let last = begin - 1;
  while (last >= 0 && lines[last]!.trim() === '') last -= 1;
  for (let first = last; first >= Math.max(0, last - 2); first -= 1) {
    const words = lines
      .slice(first, last + 1)
      .join(' ')
      .trim();
    if (ORIGINAL.test(words) || (isAttribution(words) && (first === last || LEAD.test(words)))) return first;
  }
  return begin;
}

function partsOf(lines: readonly string[]): QuotedPart[] {
  const quoted = lines.map(depthOf);
  const texts = quoted.map(({ text }) => text);
  const parts: { source: string; depth: number; lines: string[] }[] = [];
  for (let at = 0; at < quoted.length; at += 1) {
    const { depth, text } = quoted[at]!;
    const taken = attributionAt(texts, at);
    const open = parts.at(-1);
    if (taken !== undefined) {
      parts.push({ source: taken.source, depth: -1, lines: [] });
      at += taken.lines - 1;
    } else if (open === undefined || (text !== '' && open.depth >= 0 && depth < open.depth)) {
      if (text !== '') parts.push({ source: '', depth, lines: [text] });
    } else {
      if (open.depth < 0 && text !== '') open.depth = depth;
      open.lines.push(text);
    }
  }
  return parts
    .map(({ source, lines: words }) => ({ source, text: words.join('\n').trim() }))
    .filter(({ source, text }) => source !== '' || text !== '');
}

/** What introduces a quotation at a line, and over how many lines. */
function attributionAt(texts: readonly string[], at: number): { source: string; lines: number } | undefined {
  if (ORIGINAL.test(texts[at]!) && !beginsHeader(texts, at)) return { source: '', lines: 1 };
  if (beginsHeader(texts, at)) {
    let end = at + 1;
    while (end < texts.length && end - at < MOST_HEADER_LINES && HEADER_LINE.test(texts[end]!)) end += 1;
    const named = texts.slice(at, end).filter((line) => FROM.test(line) || SENT.test(line));
    return { source: named.join(', ').replaceAll('*', ''), lines: end - at };
  }
  const most = LEAD.test(texts[at]!) ? 3 : 1;
  for (let lines = 1; lines <= most && texts[at + lines - 1] !== ''; lines += 1) {
    const words = texts
      .slice(at, at + lines)
      .join(' ')
      .trim();
    if (isAttribution(words)) return { source: words.replace(/\s?:$/, ''), lines };
  }
  return undefined;
}

/** `From:` with `Sent:` close below it. */
function beginsHeader(lines: readonly string[], at: number): boolean {
  return FROM.test(lines[at]!) && lines.slice(at + 1, at + 4).some((line) => SENT.test(line.trim()));
}

function isAttribution(words: string): boolean {
  const mayBe = words.length <= MAX_ATTRIBUTION_UNITS && words.endsWith(':') && DATE_OR_ADDRESS.test(words);
  return mayBe && SAYS.test(words);
}

/** How often a line is quoted, and its words. */
function depthOf(line: string): QuotedLine {
  const marks = /^(?:[ \t]?>)+/.exec(line)?.[0] ?? '';
  return { depth: marks.length === 0 ? 0 : marks.replace(/[^>]/g, '').length, text: line.slice(marks.length).trim() };
}
