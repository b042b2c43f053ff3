import type { ParseOutput } from '../../output/parse-output.js';
import { ParseError } from '../../parse-error.js';
import type { HiddenPolicy } from '../../sheets/hidden-cells.js';
import type { XmlAttributes, XmlHandler } from '../../xml/xml-reader.js';
import type { FormatResult } from '../format-parser.js';
import type { Drawing } from '../ooxml/drawings.js';
import { bodyReader, type BodyReader } from './odf-bodies.js';
import { OdfChart } from './odf-chart.js';
import { OdfMargins } from './odf-margins.js';
import { OdfStyles } from './odf-styles.js';

/** A document within the document, in a flat file. */
const INNER_DOCUMENT = 'office:document';

/**
 * Reads the XML of an OpenDocument file: the styles in front of the body, then the body by the reader of its kind. In a flat file all parts are one
 * document, with pictures as bytes and charts as documents of their own in it.
 */
export class OdfContent implements XmlHandler {
  readonly styles = new OdfStyles();
  readonly margins = new OdfMargins(this.styles);
  private title = '';
  private isInTitle = false;
  private body: BodyReader | undefined;
  private isInBody = false;
  private chart: OdfChart | undefined;
  /** Elements open inside of an inner document, or of bytes. */
  private depth = 0;
  private readonly output: ParseOutput;
  private readonly charts: Map<string, Drawing>;
  private readonly hidden: HiddenPolicy | undefined;

  /** `charts`: those of the package, by the path that the body names; taken out as they are written. */
  constructor(output: ParseOutput, charts: Map<string, Drawing>, hidden?: HiddenPolicy) {
    this.output = output;
    this.charts = charts;
    this.hidden = hidden;
  }

  open(name: string, attributes: XmlAttributes): void {
    this.isInTitle = !this.isInBody && name === 'dc:title';
    if (this.depth > 0 || this.beginsInner(name)) {
      this.depth += 1;
      this.chart?.open(name, attributes);
    } else if (this.isInBody && this.body !== undefined) {
      this.body.handler.open(name, attributes);
      if (name === 'draw:object') this.drawChart(pathOf(attributes['xlink:href'] ?? ''));
    } else if (name === 'office:body') this.isInBody = true;
    else if (this.isInBody) this.body = bodyReader(name, this, this.output, this.hidden);
    else {
      this.styles.open(name, attributes);
      this.margins.open(name, attributes);
    }
  }

  close(name: string): void {
    this.isInTitle = false;
    if (this.depth > 0) this.closeInner(name);
    else if (name === 'office:body') this.isInBody = false;
    else if (!this.isInBody) {
      this.styles.close(name);
      this.margins.close(name);
    } else {
      this.body?.handler.close(name);
      this.body?.afterClose?.(name);
    }
  }

  text(text: string): void {
    if (this.isInTitle) this.title += text;
    if (this.depth > 0) this.chart?.text(text);
    else if (this.isInBody) this.body?.handler.text(text);
    else this.margins.text(text);
  }

  finish(): FormatResult {
    if (this.body === undefined) {
      throw new ParseError('MALFORMED', 'The file has no text, sheets or slides; save it again and upload that.');
    }
    const result = this.body.finish();
    return { ...result, title: this.title.replace(/\s+/g, ' ').trim().slice(0, 500) || result.title };
  }

  private beginsInner(name: string): boolean {
    if (!this.isInBody) return false;
    if (name === INNER_DOCUMENT) this.chart = new OdfChart();
    return name === INNER_DOCUMENT || name === 'office:binary-data';
  }

  private closeInner(name: string): void {
    this.depth -= 1;
    this.chart?.close(name);
    if (this.depth > 0) return;
    const drawing = this.chart?.finish();
    this.chart = undefined;
    this.draw(drawing);
  }

  /** Each is written once, however often it is asked for. */
  private drawChart(path: string): void {
    this.draw(this.charts.get(path));
    this.charts.delete(path);
  }

  private draw(drawing: Drawing | undefined): void {
    if (drawing !== undefined) this.body?.handler.draw(drawing);
  }
}

/** `./Object 1` is the folder of that object. */
function pathOf(href: string): string {
  return href.replace(/^\.\//, '').replace(/\/$/, '');
}
