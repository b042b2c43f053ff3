import { WordCounts } from './word-counts.js';

/** What is held at most to learn the words of a text. */
const MAX_HELD_UNITS = 1024 * 1024;
const LINE_ENDS_DIVIDED = /\p{L}-\r?\n/u;
const DIVIDED = /(?<![\p{L}\p{N}-])(\p{L}{2,})-(\r?\n)([ \t]*)(\p{Ll}+)(?![\p{L}\p{N}-])([^\s\p{L}\p{N}]*)[ \t]*/gu;

/**
 * Makes words whole that the lines of a plain text end within: their rest goes up to the first line. A word is one where the text has it so elsewhere.
 * Any other hyphen stays as it is, since people break lines behind hyphens too.
 */
export class DividedLines {
  private readonly words = new WordCounts();
  private held = '';

  /** Takes the next piece and gives what is known to be text. */
  feed(piece: string): string {
    this.held += piece;
    if (this.held.length < MAX_HELD_UNITS) return '';
    const end = this.held.lastIndexOf('\n', this.held.lastIndexOf('\n') - 1) + 1;
    const text = this.held.slice(0, end);
    this.held = this.held.slice(end);
    if (this.held.length < MAX_HELD_UNITS) return this.whole(text);
    const rest = this.held;
    this.held = '';
    return this.whole(text) + rest;
  }

  /** The rest, at the end. */
  finish(): string {
    const text = this.held;
    this.held = '';
    return this.whole(text);
  }

  private whole(text: string): string {
    const hasHyphens = text.includes('-\n') || text.includes('-\r\n');
    if (!hasHyphens || !LINE_ENDS_DIVIDED.test(text)) return text;
    this.words.add(text);
    return text.replace(
      DIVIDED,
      (all, before: string, lineBreak: string, indent: string, behind: string, marks: string) => {
        const isWhole = this.words.of(before + behind) > this.words.of(`${before}-${behind}`);
        return isWhole ? `${before}${behind}${marks}${lineBreak}${indent}` : all;
      },
    );
  }
}
