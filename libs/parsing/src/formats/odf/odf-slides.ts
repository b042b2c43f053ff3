import type { FlowWriter } from '../../output/flow-writer.js';
import { collectLines, RecordedFlow, type Flow } from '../../output/flow.js';
import type { HiddenSlides } from '../../slides/hidden-slides.js';
import type { XmlAttributes, XmlHandler } from '../../xml/xml-reader.js';
import type { Drawing } from '../ooxml/drawings.js';
import { OdfRemarks } from './odf-remarks.js';
import type { OdfStyles } from './odf-styles.js';
import { OdfTextReader } from './odf-text-reader.js';

const SKIPPED_CLASSES = new Set(['header', 'footer', 'date-time', 'page-number', 'page', 'handout']);

interface Slide {
  title: string[];
  body: RecordedFlow;
  notes: string[];
  readonly isHidden: boolean;
}

/** Reads the slides of an OpenDocument presentation: title first, then everything else, notes and annotations. */
export class OdfSlideReader implements XmlHandler {
  slides = 0;
  images = 0;
  readonly remarks = new OdfRemarks();
  notes = 0;
  private readonly flow: FlowWriter;
  private readonly styles: OdfStyles;
  private slide: Slide | undefined;
  private reader: OdfTextReader | undefined;
  /** Readers around the present one: the notes and the title of a slide have their own. */
  private readonly outer: { element: string; depth: number; reader: OdfTextReader | undefined }[] = [];
  private depth = 0;
  private skipping = 0;

  readonly hidden: HiddenSlides;

  constructor(flow: FlowWriter, styles: OdfStyles, hidden: HiddenSlides) {
    this.flow = flow;
    this.hidden = hidden;
    this.styles = styles;
  }

  open(name: string, attributes: XmlAttributes): void {
    this.depth += 1;
    const role = attributes['presentation:class'] ?? '';
    if (this.skipping > 0 || SKIPPED_CLASSES.has(role)) this.skipping += 1;
    else if (name === 'draw:page') this.openSlide(this.styles.isSlideHidden(attributes['draw:style-name']));
    else if (this.slide === undefined) return;
    else if (name === 'presentation:notes') this.enter(name, collectLines(this.slide.notes));
    else if (role === 'title') this.enter(name, collectLines(this.slide.title));
    else this.reader?.open(name, attributes);
  }

  close(name: string): void {
    this.depth -= 1;
    if (this.skipping > 0) {
      this.skipping -= 1;
      return;
    }
    const outer = this.outer.at(-1);
    if (name === 'draw:page') this.closeSlide();
    else if (outer?.element === name && outer.depth === this.depth) {
      this.images += this.reader?.images ?? 0;
      this.reader = outer.reader;
      this.outer.pop();
    } else this.reader?.close(name);
  }

  text(text: string): void {
    if (this.skipping === 0) this.reader?.text(text);
  }

  draw(drawing: Drawing): void {
    if (this.skipping === 0) this.reader?.draw(drawing);
  }

  private openSlide(isHidden: boolean): void {
    this.slides += 1;
    this.flow.beginPage(this.slides);
    this.slide = { title: [], body: new RecordedFlow(), notes: [], isHidden };
    this.reader = new OdfTextReader(this.slide.body, this.styles, this.remarks);
  }

  private enter(element: string, flow: Flow): void {
    this.outer.push({ element, depth: this.depth - 1, reader: this.reader });
    this.reader = new OdfTextReader(flow, this.styles, this.remarks);
  }

  private closeSlide(): void {
    const { slide } = this;
    const images = this.reader?.images ?? 0;
    this.slide = undefined;
    this.reader = undefined;
    if (slide === undefined) return;
    const remarks = this.remarks.pending.splice(0);
    if (slide.isHidden && !this.hidden.begin()) return;
    this.images += images;
    this.flow.paragraph({ kind: 'heading', level: 1 }, slide.title.join(' ').replaceAll('\n', ' '));
    slide.body.replay(this.flow);
    const notes = slide.notes.map((line) => line.replace(/^- /, ''));
    if (notes.length > 0) {
      this.notes += 1;
      this.flow.paragraph({ kind: 'paragraph' }, `Notes: ${notes.join('\n')}`);
    }
    for (const text of remarks) this.flow.paragraph({ kind: 'paragraph' }, text);
    this.flow.finish();
    this.hidden.end();
  }
}
