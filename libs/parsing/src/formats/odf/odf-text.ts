import type { XmlAttributes } from '../../xml/xml-reader.js';
import type { OdfStyles } from './odf-styles.js';

/** Longest run of spaces that one element may represent. */
const MAX_SPACES = 100;

/** Gathers the visible text of one paragraph. */
export class OdfText {
  hiddenCharacters = 0;
  /** Characters that are struck out, and not in the text. */
  struckCharacters = 0;
  private readonly styles: OdfStyles;
  private readonly parts: string[] = [];
  /** Whether each open span is hidden. */
  private readonly spans: boolean[] = [];
  /** Whether the paragraph, and each open span, is struck out. */
  private readonly strikes: boolean[];

  /** `style`: that of the paragraph. */
  constructor(styles: OdfStyles, style?: string) {
    this.styles = styles;
    this.strikes = [styles.isStruck(style)];
  }

  open(name: string, attributes: XmlAttributes): void {
    if (name === 'text:span') {
      this.spans.push(this.isHidden || this.styles.isHidden(attributes['text:style-name']));
      this.strikes.push(this.styles.isStruck(attributes['text:style-name']) || this.strikes.at(-1) === true);
    } else if (name === 'text:s') {
      const asked = Number(attributes['text:c'] ?? 1);
      this.text(' '.repeat(Number.isInteger(asked) ? Math.min(Math.max(asked, 1), MAX_SPACES) : 1));
    } else if (name === 'text:tab') this.text('\t');
    else if (name === 'text:line-break') this.lineBreak();
  }

  close(name: string): void {
    if (name !== 'text:span') return;
    this.spans.pop();
    this.strikes.pop();
  }

  /** White space in the file is one space, whatever it is; line breaks are elements. */
  text(text: string): void {
    if (this.isHidden) this.hiddenCharacters += text.length;
    else if (this.strikes.at(-1) === true) this.struckCharacters += text.length;
    else this.parts.push(text.replace(/[\r\n]+/g, ' '));
  }

  finish(): string {
    return this.parts.join('');
  }

  private lineBreak(): void {
    if (!this.isHidden) this.parts.push('\n');
  }

  private get isHidden(): boolean {
    return this.spans.at(-1) === true;
  }
}
