import type { BlockShape } from '../../html/block-writer.js';
import type { Flow } from '../../output/flow.js';
import type { XmlAttributes, XmlHandler } from '../../xml/xml-reader.js';
import { writeDrawing, type Drawing } from '../ooxml/drawings.js';
import { OdfDescription } from './odf-description.js';
import { OdfLists } from './odf-lists.js';
import { OdfRemarks } from './odf-remarks.js';
import type { OdfStyles } from './odf-styles.js';
import { OdfText } from './odf-text.js';

interface Paragraph {
  text: OdfText;
  /** Of a heading. */
  level?: number;
  style?: string;
  /** Alternative texts and charts of what is drawn in it. */
  drawings: Drawing[];
}

/** Elements without text of the document. */
const SKIPPED = new Set(
  (
    'text:tracked-changes text:note-citation text:ruby-text office:forms text:hidden-text ' +
    'table:content-validations table:tracked-changes presentation:footer-decl presentation:header-decl ' +
    'presentation:date-time-decl text:page-number text:list-level-style-number office:change-info office:meta'
  ).split(' '),
);
/** What begins a place with lists of its own. */
const SCOPES = new Set([
  'table:table-cell',
  'draw:text-box',
  'text:note-body',
  'office:annotation',
  'draw:custom-shape',
]);
const MAX_REPEATED_CELLS = 100;

/** Reads the text of an OpenDocument text or of one slide, and tells a flow what is in it. */
export class OdfTextReader implements XmlHandler {
  images = 0;
  hiddenCharacters = 0;
  /** Characters that are struck out. */
  struckCharacters = 0;
  readonly remarks: OdfRemarks;
  private readonly flow: Flow;
  private readonly styles: OdfStyles;
  private readonly lists: OdfLists;
  private readonly description = new OdfDescription();
  private readonly paragraphs: Paragraph[] = [];
  /** Columns to the right that the last cell of each open row still covers. */
  private covered = 0;
  private skipping = 0;

  constructor(flow: Flow, styles: OdfStyles, remarks = new OdfRemarks()) {
    this.flow = flow;
    this.styles = styles;
    this.lists = new OdfLists(styles);
    this.remarks = remarks;
  }

  get isInParagraph(): boolean {
    return this.paragraphs.length > 0;
  }

  open(name: string, attributes: XmlAttributes): void {
    if (this.skipping > 0 || SKIPPED.has(name) || isHiddenSection(name, attributes)) {
      this.skipping += 1;
      return;
    }
    this.description.open(name, attributes);
    if (this.description.isOpen) return;
    if (SCOPES.has(name)) this.lists.enterScope();
    if (this.remarks.open(name, attributes)) return;
    switch (name) {
      case 'text:h':
      case 'text:p':
        this.openParagraph(name, attributes);
        break;
      case 'text:list':
        this.lists.openList(attributes);
        break;
      case 'text:list-item':
      case 'text:list-header':
        this.lists.openItem(name === 'text:list-header', attributes);
        break;
      case 'draw:image':
        this.images += 1;
        break;
      default:
        if (!this.openTablePart(name, attributes)) this.paragraphs.at(-1)?.text.open(name, attributes);
    }
  }

  close(name: string): void {
    if (this.skipping > 0) {
      this.skipping -= 1;
      return;
    }
    const isDescription = this.description.isOpen;
    this.describe(this.description.close(name));
    if (isDescription) return;
    if (SCOPES.has(name)) this.lists.leaveScope();
    if (this.remarks.close(name)) return;
    if (name === 'text:h' || name === 'text:p') this.closeParagraph();
    else if (name === 'text:list') this.lists.closeList();
    else if (name === 'table:table-cell' || name === 'table:covered-table-cell') this.flow.closeCell();
    else if (name === 'table:table-row') this.flow.closeRow();
    else if (name === 'table:table') this.flow.closeTable();
    else this.paragraphs.at(-1)?.text.close(name);
  }

  text(text: string): void {
    if (this.skipping > 0) return;
    if (this.description.isOpen) this.description.text(text);
    else if (this.remarks.takesText) this.remarks.text(text);
    else this.paragraphs.at(-1)?.text.text(text);
  }

  private openParagraph(name: string, attributes: XmlAttributes): void {
    const asked = Number(attributes['text:outline-level'] ?? 1);
    const level = name === 'text:h' ? Math.min(Math.max(Number.isInteger(asked) ? asked : 1, 1), 10) : undefined;
    const style = attributes['text:style-name'];
    this.paragraphs.push({ text: new OdfText(this.styles, style), level, style, drawings: [] });
  }

  private openTablePart(name: string, attributes: XmlAttributes): boolean {
    if (name === 'table:table') this.flow.openTable();
    else if (name === 'table:table-row') {
      this.covered = 0;
      this.flow.openRow();
    } else if (name === 'table:table-cell') {
      const columns = Number(attributes['table:number-columns-spanned'] ?? 1) || 1;
      const repeated = Math.min(Number(attributes['table:number-columns-repeated'] ?? 1) || 1, MAX_REPEATED_CELLS);
      this.covered = columns - 1;
      this.flow.openCell({ across: repeated });
    } else if (name === 'table:covered-table-cell') {
      const repeats = this.covered > 0 ? 'left' : 'above';
      this.covered -= 1;
      this.flow.openCell({ repeats });
    } else return false;
    return true;
  }

  private closeParagraph(): void {
    const paragraph = this.paragraphs.pop();
    if (paragraph === undefined) return;
    this.hiddenCharacters += paragraph.text.hiddenCharacters;
    this.struckCharacters += paragraph.text.struckCharacters;
    const text = paragraph.text.finish();
    if (this.remarks.isOpen) this.remarks.line(text);
    else if (/\S/.test(text)) this.write(paragraph, text);
    for (const drawing of paragraph.drawings) this.draw(drawing);
  }

  /** What a picture or a chart shows is behind the paragraph that it is in. */
  draw(drawing: Drawing): void {
    const paragraph = this.paragraphs.at(-1);
    if (paragraph !== undefined) paragraph.drawings.push(drawing);
    else if (this.remarks.isOpen) for (const title of drawing.titles) this.remarks.line(title);
    else writeDrawing(this.flow, drawing);
  }

  private describe(words: string): void {
    if (words !== '') this.draw({ titles: [words], rows: [], items: [] });
  }

  private write({ level, style }: Paragraph, text: string): void {
    if (level !== undefined) {
      const shape: BlockShape = { kind: 'heading', level: Math.min(level, 6) };
      return this.flow.paragraph(shape, text, this.lists.heading(level));
    }
    const mark = this.lists.mark();
    if (mark !== undefined && mark.marker !== '') {
      return this.flow.paragraph({ kind: 'list_item', level: mark.level }, text, mark.marker);
    }
    this.flow.paragraph(this.shapeOf(style), text);
  }

  private shapeOf(style: string | undefined): BlockShape {
    if (this.styles.isNamed(style, 'Title')) return { kind: 'heading', level: 1 };
    if (this.styles.isNamed(style, 'Subtitle')) return { kind: 'heading', level: 2 };
    if (this.styles.isNamed(style, 'Caption')) return { kind: 'caption' };
    return this.styles.isNamed(style, 'Quotations') ? { kind: 'quote' } : { kind: 'paragraph' };
  }
}

function isHiddenSection(name: string, attributes: XmlAttributes): boolean {
  return name === 'text:section' && attributes['text:display'] === 'none';
}
