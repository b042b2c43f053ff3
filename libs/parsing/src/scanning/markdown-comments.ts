import { hidesByStyle } from '../html/html-elements.js';
import { readFence, type Fence } from './markdown-lines.js';

/** What of a comment is held until its end is known; a longer one is text. */
const MAX_COMMENT_UNITS = 64 * 1024;
/** A longer line is not held whole: it goes on as it is. */
const MAX_LINE_UNITS = 256 * 1024;
const CLOSE = '-->';
/** Definitions that nothing refers to, which authors use as comments: `[//]: # (words)`, `[comment]: <> (words)`. */
const COMMENT_DEFINITION = /^ {0,3}\[(?:\/\/|comment)\]:[ \t]*(?:#|<>)[ \t]*(?:["'(]|$)/i;

/** A comment, or an HTML element that is open; the end is sought for its name. */
interface Unseen {
  /** With its mark. */
  text: string;
  /** Of an element; undefined: a comment. */
  readonly name: string | undefined;
  /** Elements of that name that are open. */
  depth: number;
}

/** Where something unseen begins in a line, and where what is behind its mark does. */
interface Opening {
  readonly start: number;
  readonly end: number;
  readonly name: string | undefined;
  /** It has no content. */
  readonly isVoid: boolean;
}

const STRUCK = /(?<![~\\])~~(?=[^\s~])([^~]{0,2000}[^\s~])~~(?!~)/g;
const DONE = /^\s*(?:[-*+]|\d{1,9}[.)])\s+\[[xX]\]\s/;
const MARK = /<!--|<([a-z][a-z0-9-]*)(?:[\s/][^<>]*)?>/gi;
const HIDDEN = /\shidden(?!\s*=\s*["']?until-found)(?=[\s=/>])/i;
const STYLE = /\sstyle\s*=\s*(?:"([^"]*)"|'([^']*)')/i;
/** Elements whose content is no text. */
const SILENT: ReadonlySet<string> = new Set(['style', 'script', 'template']);
const VOID = /^(?:area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr)$/i;

/**
 * Takes out of Markdown what no reader of the page sees, as it passes by, line by line: comments, and HTML elements that say themselves that they
 * are not displayed. Those in fences, in code spans and in indented code are content, and so is one that never ends. Linear; holds a line, and
 * what is open.
 */
export class MarkdownComments {
  /** Comments taken out. */
  count = 0;
  /** Elements taken out. */
  hiddenElements = 0;
  /** Characters taken out that are struck out. */
  struckCharacters = 0;
  private carry = '';
  private fence: Fence | undefined;
  private open: Unseen | undefined;
  private isAfterBlank = true;

  /** Takes the next piece and gives what of the text is known to be content. */
  feed(piece: string): string {
    const text = this.carry + piece;
    let kept = '';
    let at = 0;
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', at)) {
      kept += this.takeLine(text.slice(at, end + 1));
      at = end + 1;
    }
    this.carry = text.slice(at);
    if (this.carry.length > MAX_LINE_UNITS) {
      kept += this.takeLine(this.carry);
      this.carry = '';
    }
    return kept;
  }

  /** The rest, at the end. */
  finish(): string {
    const kept = this.takeLine(this.carry);
    const open = this.open?.text ?? '';
    this.carry = '';
    this.open = undefined;
    return kept + open;
  }

  private takeLine(line: string): string {
    if (line === '') return '';
    if (this.open !== undefined) return this.goOn(this.open, line);
    if (this.fence !== undefined) {
      const closing = readFence(line.trimEnd());
      const { character, length } = this.fence;
      if (closing?.character === character && closing.length >= length && closing.info === '') this.fence = undefined;
      return line;
    }
    const isCode = this.isAfterBlank && /^(?: {4}|\t)/.test(line);
    if (!isCode) this.isAfterBlank = !/\S/.test(line);
    if (isCode) return line;
    this.fence = line.length < 1000 ? readFence(line.trimEnd()) : undefined;
    if (this.fence !== undefined) return line;
    if (COMMENT_DEFINITION.test(line)) {
      this.count += 1;
      return '';
    }
    const rest = line.includes('~~') ? this.withoutStruck(line) : line;
    return rest.includes('<') ? this.without(rest) : rest;
  }

  /** The line without what it strikes out, which stays in a task that is ticked off; one that holds nothing else goes with its line break. */
  private withoutStruck(line: string): string {
    if (DONE.test(line)) return line;
    const before = this.struckCharacters;
    const parts = line.split(/(`+[^`]*`+)/);
    const kept = parts
      .map((part) => (part.startsWith('`') ? part : part.replace(STRUCK, (_all, words: string) => this.strike(words))))
      .join('');
    return this.struckCharacters === before || /[\p{L}\p{N}]/u.test(kept) ? kept : '';
  }

  private strike(words: string): string {
    this.struckCharacters += words.length;
    return '';
  }

  /** The line without what is unseen; one that holds nothing else goes with its line break. */
  private without(line: string): string {
    let kept = '';
    let at = 0;
    let codeMarks = 0;
    for (const opening of openingsIn(line)) {
      if (opening.start < at) continue;
      const before = line.slice(at, opening.start);
      codeMarks += countMarks(before);
      kept += before;
      at = opening.start;
      if (codeMarks % 2 === 1) continue;
      if (opening.isVoid) {
        at = opening.end;
        continue;
      }
      const unseen = { text: '', name: opening.name, depth: 1 };
      const end = endOf(unseen, line, opening.end);
      if (end === undefined) {
        unseen.text = line.slice(opening.start);
        this.open = unseen;
        return /\S/.test(kept) ? kept : '';
      }
      this.countOne(unseen);
      at = end;
    }
    kept += line.slice(at);
    return /\S/.test(kept) || !/\S/.test(line) ? kept : '';
  }

  private goOn(open: Unseen, line: string): string {
    const end = endOf(open, line, 0);
    if (end !== undefined) {
      this.open = undefined;
      this.countOne(open);
      const rest = line.slice(end);
      return /\S/.test(rest) ? this.takeLine(rest) : '\n';
    }
    open.text += line;
    if (open.text.length <= MAX_COMMENT_UNITS) return '';
    this.open = undefined;
    return open.text;
  }

  private countOne({ name }: Unseen): void {
    if (name === undefined) this.count += 1;
    else this.hiddenElements += 1;
  }
}

function* openingsIn(line: string): Generator<Opening> {
  for (const { 0: mark, 1: name, index } of line.matchAll(MARK)) {
    if (name !== undefined && !isUnseen(name, mark)) continue;
    const isVoid = name !== undefined && (mark.endsWith('/>') || VOID.test(name));
    yield { start: index, end: index + mark.length, name, isVoid };
  }
}

function isUnseen(name: string, tag: string): boolean {
  if (SILENT.has(name.toLowerCase()) || HIDDEN.test(tag)) return true;
  const [, quoted, other] = STYLE.exec(tag) ?? [];
  return hidesByStyle(quoted ?? other ?? '');
}

/** Where something unseen ends in a line; undefined: it goes on. Counts what of its name opens and closes. */
function endOf(unseen: Unseen, line: string, from: number): number | undefined {
  if (unseen.name === undefined) {
    const close = line.indexOf(CLOSE, from);
    return close < 0 ? undefined : close + CLOSE.length;
  }
  const tags = new RegExp(`<(/?)${unseen.name}(?=[\\s/>])[^<>]*>`, 'gi');
  tags.lastIndex = from;
  for (let tag = tags.exec(line); tag !== null; tag = tags.exec(line)) {
    unseen.depth += tag[1] === '/' ? -1 : tag[0].endsWith('/>') ? 0 : 1;
    if (unseen.depth === 0) return tag.index + tag[0].length;
  }
  return undefined;
}

function countMarks(text: string): number {
  return text.match(/`+/g)?.length ?? 0;
}

/** A whole text without its comments. */
export function withoutMarkdownComments(text: string): string {
  const comments = new MarkdownComments();
  return comments.feed(text) + comments.finish();
}
