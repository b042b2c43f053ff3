import { readFence, type Fence } from './markdown-lines.js';

/** What of a comment is held until its end is known; a longer one is text. */
const MAX_COMMENT_UNITS = 64 * 1024;
/** A longer line is not held whole: it goes on as it is. */
const MAX_LINE_UNITS = 256 * 1024;
const OPEN = '<!--';
const CLOSE = '-->';
/** Definitions that nothing refers to, which authors use as comments: `[//]: # (words)`, `[comment]: <> (words)`. */
const COMMENT_DEFINITION = /^ {0,3}\[(?:\/\/|comment)\]:[ \t]*(?:#|<>)[ \t]*(?:["'(]|$)/i;

/**
 * Takes comments out of Markdown as it passes by, line by line: no reader of the page sees them. Those in fences, in code spans and in
 * indented code are content, and so is one that never ends. Linear; holds a line, and the comment that is open.
 */
export class MarkdownComments {
  /** Comments taken out. */
  count = 0;
  private carry = '';
  private fence: Fence | undefined;
  /** Text of the comment that is open, with its mark. */
  private comment: string | undefined;
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
    const open = this.comment ?? '';
    this.carry = '';
    this.comment = undefined;
    return kept + open;
  }

  private takeLine(line: string): string {
    if (line === '') return '';
    if (this.comment !== undefined) return this.goOn(line);
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
    return line.includes(OPEN) ? this.without(line) : line;
  }

  /** The line without its comments; one that holds nothing else goes with its line break. */
  private without(line: string): string {
    let kept = '';
    let at = 0;
    let codeMarks = 0;
    for (let open = line.indexOf(OPEN); open >= 0; open = line.indexOf(OPEN, at)) {
      const before = line.slice(at, open);
      codeMarks += countMarks(before);
      if (codeMarks % 2 === 1) {
        kept += before + OPEN;
        at = open + OPEN.length;
        continue;
      }
      const close = line.indexOf(CLOSE, open + OPEN.length);
      kept += before;
      if (close < 0) {
        this.comment = line.slice(open);
        return kept;
      }
      this.count += 1;
      at = close + CLOSE.length;
    }
    kept += line.slice(at);
    return /\S/.test(kept) || !/\S/.test(line) ? kept : '';
  }

  private goOn(line: string): string {
    const close = line.indexOf(CLOSE);
    if (close >= 0) {
      this.comment = undefined;
      this.count += 1;
      const rest = line.slice(close + CLOSE.length);
      return /\S/.test(rest) ? this.takeLine(rest) : '\n';
    }
    const held = this.comment! + line;
    if (held.length <= MAX_COMMENT_UNITS) {
      this.comment = held;
      return '';
    }
    this.comment = undefined;
    return held;
  }
}

function countMarks(text: string): number {
  return text.match(/`+/g)?.length ?? 0;
}

/** A whole text without its comments. */
export function withoutMarkdownComments(text: string): string {
  const comments = new MarkdownComments();
  return comments.feed(text) + comments.finish();
}
