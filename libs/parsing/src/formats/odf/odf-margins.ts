import { EdgeTexts } from '../../output/edge-texts.js';
import { collectLines } from '../../output/flow.js';
import type { XmlAttributes, XmlHandler } from '../../xml/xml-reader.js';
import type { OdfStyles } from './odf-styles.js';
import { OdfTextReader } from './odf-text-reader.js';

const EDGES: Readonly<Record<string, 'header' | 'footer'>> = {
  'style:header': 'header',
  'style:header-first': 'header',
  'style:header-left': 'header',
  'style:footer': 'footer',
  'style:footer-first': 'footer',
  'style:footer-left': 'footer',
};
/** Headers and footers that are read; a document has some for each kind of page. */
const MOST_EDGES = 60;

/** Reads the headers and footers of the pages of a text, which are among its styles. */
export class OdfMargins implements XmlHandler {
  readonly texts = new EdgeTexts();
  private readonly styles: OdfStyles;
  private reader: OdfTextReader | undefined;
  private lines: string[] = [];
  private count = 0;
  private isNumber = false;

  constructor(styles: OdfStyles) {
    this.styles = styles;
  }

  open(name: string, attributes: XmlAttributes): void {
    if (this.reader === undefined) {
      if (EDGES[name] === undefined || attributes['style:display'] === 'false' || this.count >= MOST_EDGES) return;
      this.count += 1;
      this.lines = [];
      this.reader = new OdfTextReader(collectLines(this.lines), this.styles);
    } else if (name === 'text:page-number') {
      // Whatever a program has saved there: the line says so where it numbers the pages.
      this.reader.text('1');
      this.isNumber = true;
    } else this.reader.open(name, attributes);
  }

  close(name: string): void {
    const edge = EDGES[name];
    if (this.reader === undefined) return;
    if (edge !== undefined) {
      this.texts.add(edge, this.lines);
      this.reader = undefined;
    } else if (name === 'text:page-number') this.isNumber = false;
    else this.reader.close(name);
  }

  text(text: string): void {
    if (!this.isNumber) this.reader?.text(text);
  }
}
