import { findElement, isElement, isSkipped, textOf, visit, type HtmlElement } from '../html/html-elements.js';
import { cellText, holdsTable, isLayoutTable, readTable } from '../html/html-tables.js';
import { parseHtmlTree } from '../html/parse-html-tree.js';
import { isTableDelimiter, readFence, type Fence } from './markdown-lines.js';

/** A table that the file holds as HTML. */
export interface RawTable {
  /** Empty where it has none. */
  readonly caption: string;
  readonly rows: readonly (readonly string[])[];
  /** First rows that the table marks as its header; 0: it marks that no row is one; undefined: it says nothing. */
  readonly headerRows: number | undefined;
}

/** HTML whose end is not known yet. */
interface OpenHtml {
  /** Lines without the marks of their quotation. */
  text: string;
  /** Lines as they are in the file. */
  source: string;
  /** Tables that are open. */
  depth: number;
  /** Marks before each line; 0: it is in no quotation. */
  readonly quoted: number;
}

/** What of HTML is held until its end is known; a longer one stays as it is. */
const MAX_HTML_UNITS = 1024 * 1024;
/** A longer line is not held whole: it goes on as it is. */
const MAX_LINE_UNITS = 256 * 1024;
/** A longer line opens nothing. */
const MAX_MARK_UNITS = 4000;
const SIGNS: ReadonlySet<string> = new Set('`~><');
const QUOTE_MARKS = /^(?: {0,3}> ?)+/;
const TABLE_OPENS = /^ {0,3}(?:<(?:div|center|p|details|figure|section|article)(?:\s[^<>]*)?>\s*)*<table(?=[\s>])/i;
const TABLE_MARKS = /<(\/?)table(?=[\s>/])/gi;
const TABLE_CLOSES = /<\/table\s*>/gi;

/**
 * Finds the tables of Markdown that are not written as such: rows in a quotation lose the marks of that, and HTML becomes rows of cells. Fences and
 * what only arranges a page stay as they are. Works on text as it passes by, line by line; linear.
 */
export class MarkdownTables {
  private carry = '';
  private fence: Fence | undefined;
  private quotedFence: Fence | undefined;
  /** A line of a quotation that may be the header of a table. */
  private header: { readonly line: string; readonly depth: number } | undefined;
  /** Marks before each row of the quoted table that is open; 0: none is. */
  private quotedRows = 0;
  private html: OpenHtml | undefined;
  private parts: (string | RawTable)[] = [];

  /** Takes the next piece and gives what is known of the text. */
  feed(piece: string): (string | RawTable)[] {
    const text = this.carry + piece;
    let [from, at] = [0, 0];
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', at)) {
      // Most lines open nothing: they go on together.
      if (!this.isIdle || mayOpen(text, at)) {
        this.put(text.slice(from, at));
        this.takeLine(text.slice(at, end + 1));
        from = end + 1;
      }
      at = end + 1;
    }
    this.put(text.slice(from, at));
    this.carry = text.slice(at);
    if (this.carry.length > MAX_LINE_UNITS) {
      this.takeLine(this.carry);
      this.carry = '';
    }
    return this.taken();
  }

  /** The rest, at the end. */
  finish(): (string | RawTable)[] {
    if (this.carry !== '') this.takeLine(this.carry);
    this.carry = '';
    this.releaseHeader();
    if (this.html !== undefined) this.put(this.html.source);
    this.html = undefined;
    return this.taken();
  }

  /** Whether nothing is open. */
  private get isIdle(): boolean {
    const { fence, quotedFence, header, html, quotedRows } = this;
    return (fence ?? quotedFence ?? header ?? html) === undefined && quotedRows === 0;
  }

  private taken(): (string | RawTable)[] {
    const { parts } = this;
    this.parts = [];
    return parts;
  }

  private put(text: string): void {
    if (text === '') return;
    const last = this.parts.at(-1);
    if (typeof last === 'string') this.parts[this.parts.length - 1] = last + text;
    else this.parts.push(text);
  }

  private takeLine(line: string): void {
    if (this.html !== undefined && this.goOnWithHtml(this.html, line)) return;
    const mark = markOf(line);
    if (this.fence !== undefined) {
      if (mark === 'fence' && closes(line, this.fence)) this.fence = undefined;
      return this.put(line);
    }
    if (mark === 'quote') return this.takeQuoted(line);
    this.leaveQuotation();
    if (mark === 'fence') this.fence = readFence(line.trimEnd());
    if (mark !== 'tag' || !TABLE_OPENS.test(line)) return this.put(line);
    this.beginHtml(line, 0);
  }

  private beginHtml(line: string, quoted: number): void {
    this.html = { text: '', source: '', depth: 0, quoted };
    this.goOnWithHtml(this.html, line);
  }

  private leaveQuotation(): void {
    this.releaseHeader();
    this.quotedRows = 0;
    this.quotedFence = undefined;
  }

  private takeQuoted(line: string): void {
    const marks = QUOTE_MARKS.exec(line)?.[0] ?? '';
    const depth = marks.split('>').length - 1;
    const content = line.slice(marks.length);
    const { header } = this;
    if (header?.depth === depth && isTableDelimiter(content)) {
      this.header = undefined;
      this.quotedRows = depth;
      this.put(header.line.slice(QUOTE_MARKS.exec(header.line)![0].length));
      return this.put(content);
    }
    this.releaseHeader();
    if (this.quotedRows === depth && content.includes('|')) return this.put(content);
    this.quotedRows = 0;
    const fence = readFence(content.trimEnd());
    if (this.quotedFence !== undefined) {
      if (fence !== undefined && closes(content, this.quotedFence)) this.quotedFence = undefined;
    } else if (fence !== undefined) this.quotedFence = fence;
    else if (markOf(content) === 'tag' && TABLE_OPENS.test(content)) return this.beginHtml(line, depth);
    else if (content.includes('|')) {
      this.header = { line, depth };
      return;
    }
    this.put(line);
  }

  private releaseHeader(): void {
    if (this.header !== undefined) this.put(this.header.line);
    this.header = undefined;
  }

  /** Takes the next line of HTML; false where it is none, since a quotation ends before it. */
  private goOnWithHtml(html: OpenHtml, line: string): boolean {
    const marks = html.quoted === 0 ? '' : (QUOTE_MARKS.exec(line)?.[0] ?? '');
    if (marks.split('>').length - 1 !== html.quoted) {
      this.html = undefined;
      this.put(html.source);
      return false;
    }
    const content = line.slice(marks.length);
    html.text += content;
    html.source += line;
    for (const [, slash] of content.matchAll(TABLE_MARKS)) html.depth += slash === '' ? 1 : -1;
    if (html.depth > 0 && html.source.length <= MAX_HTML_UNITS) return true;
    this.html = undefined;
    if (html.depth > 0) this.put(html.source);
    else this.putHtml(html);
    return true;
  }

  private putHtml({ text, source, quoted }: OpenHtml): void {
    const from = text.search(/<table(?=[\s>])/i);
    const last = [...text.matchAll(TABLE_CLOSES)].at(-1);
    const to = last === undefined ? text.length : last.index + last[0].length;
    const tables = tablesOf(text.slice(from, to));
    const before = text.slice(0, from);
    const behind = text.slice(to);
    // Words beside it are of the quotation, and keep its marks.
    const isBesideWords = quoted > 0 && (/\S/.test(before) || /\S/.test(behind));
    if (tables === undefined || isBesideWords) return this.put(source);
    if (/\S/.test(before)) this.put(`${before}\n\n`);
    if (quoted > 0) this.put('\n');
    for (const table of tables) {
      this.parts.push(table);
      this.put('\n');
    }
    if (/\S/.test(behind)) this.put(`\n${behind}`);
  }
}

/** Whether the first sign of a line is one that `markOf` knows. */
function mayOpen(text: string, start: number): boolean {
  let at = start;
  while (text[at] === ' ' || text[at] === '\t') at += 1;
  return SIGNS.has(text[at] ?? '');
}

/** What a line may begin by its first sign. */
function markOf(line: string): 'quote' | 'fence' | 'tag' | undefined {
  if (line.length > MAX_MARK_UNITS) return undefined;
  let at = 0;
  while (line[at] === ' ' || line[at] === '\t') at += 1;
  const sign = line[at];
  if (sign === '`' || sign === '~') return 'fence';
  if (at > 3) return undefined;
  return sign === '>' ? 'quote' : sign === '<' ? 'tag' : undefined;
}

function closes(line: string, { character, length }: Fence): boolean {
  const closing = readFence(line.trimEnd());
  return closing?.character === character && closing.length >= length && closing.info === '';
}

/** The tables of a piece of HTML; undefined where it says anything else, or where one only arranges what it holds. */
function tablesOf(html: string): RawTable[] | undefined {
  const body = parseHtmlTree(html).childNodes.find((node): node is HtmlElement => isElement(node));
  if (body === undefined) return undefined;
  const elements: HtmlElement[] = [];
  let hasOther = false;
  visit(body, (node) => {
    if (/\S/.test(textOf(node) ?? '')) hasOther = true;
    if (!isElement(node) || isSkipped(node)) return false;
    if (node.tagName === 'table') elements.push(node);
    return node.tagName !== 'table';
  });
  if (hasOther || elements.some((element) => holdsTable(element) || isLayoutTable(element))) return undefined;
  const tables = elements.map((element): RawTable => {
    const caption = findElement(element, ({ tagName }) => tagName === 'caption');
    return { caption: caption === undefined ? '' : cellText(caption), ...readTable(element) };
  });
  return tables.every(({ rows }) => rows.length > 0) ? tables : undefined;
}
