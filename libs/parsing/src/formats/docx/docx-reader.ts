import type { BlockShape } from '../../html/block-writer.js';
import type { Flow } from '../../output/flow.js';
import type { UnseenLook } from '../../output/unseen-text.js';
import type { CellSpan } from '../../output/table-builder.js';
import type { XmlAttributes, XmlHandler } from '../../xml/xml-reader.js';
import { alternativeText } from '../../output/alternative-text.js';
import { ShapeDescription } from '../ooxml/shape-description.js';
import type { DocxNumbering } from './docx-numbering.js';
import type { Anchor, Carried, Paragraph } from './docx-paragraph.js';
import { outlineShape, type DocxStyles } from './docx-styles.js';
import { isOn, RunText } from './run-text.js';

/** Elements without text of the document: deleted and moved words, former properties, codes of fields, readings. */
const SKIPPED = new Set(
  (
    'w:del w:moveFrom w:delText w:instrText w:delInstrText w:rt w:rubyPr w:sdtPr w:tblPr w:sectPr w:fldData w:binData ' +
    'w:pPrChange w:rPrChange w:tcPrChange w:trPrChange w:tblPrExChange w:numberingChange w:tblGrid'
  ).split(' '),
);
const GROUNDS = new Set(['w:tbl', 'w:txbxContent']);
/** Tracked changes that take a paragraph's mark away, in the properties of the mark. */
const MARK_CHANGES = new Set(['w:del', 'w:moveFrom']);
/** What paragraphs cannot reach across. */
const CONTAINERS = new Set('w:tc w:txbxContent w:body'.split(' '));
const ANCHORS: Readonly<Record<string, Anchor['kind']>> = {
  'w:footnoteReference': 'footnote',
  'w:endnoteReference': 'endnote',
  'w:commentReference': 'comment',
};

/** Reads the XML of a document's body, or of a part with notes, and tells a flow what is in it. */
export class DocxReader implements XmlHandler {
  images = 0;
  /** Characters of runs that are marked as hidden, and of prompts in controls that nothing was filled into. */
  hiddenCharacters = 0;
  /** Characters that are struck out. */
  struckCharacters = 0;
  private readonly flow: Flow;
  private readonly styles: DocxStyles;
  private readonly numbering: DocxNumbering;
  private readonly onAnchors: (anchors: readonly Anchor[]) => void;
  private readonly paragraphs: Paragraph[] = [];
  /** By the number of open paragraphs around: text boxes have paragraphs of their own. */
  private readonly carried: (Carried | undefined)[] = [];
  private isInProperties = false;
  /** Open fields, outermost first: whether their code or their result is being read. */
  private readonly fields: ('code' | 'result')[] = [];
  /** Whether a branch of each open `mc:AlternateContent` was read already. */
  private readonly alternatives: boolean[] = [];
  private pendingCell: CellSpan | undefined;
  private skipping = 0;
  /** Open content controls, outermost first: whether they show a prompt, since nothing was filled in. */
  private readonly prompts: boolean[] = [];
  private isPrompt = false;
  /** Open tables and boxes: their ground may have a colour. */
  private grounds = 0;
  private readonly description = new ShapeDescription();
  private readonly onUnseen: (text: string, look: UnseenLook) => void;

  constructor(
    flow: Flow,
    styles: DocxStyles,
    numbering: DocxNumbering,
    onAnchors: (anchors: readonly Anchor[]) => void,
    onUnseen: (text: string, look: UnseenLook) => void = () => undefined,
  ) {
    this.onUnseen = onUnseen;
    this.flow = flow;
    this.styles = styles;
    this.numbering = numbering;
    this.onAnchors = onAnchors;
  }

  open(name: string, attributes: XmlAttributes): void {
    if (name === 'w:sdtPr') this.isPrompt = false;
    else if (name === 'w:showingPlcHdr') this.isPrompt = isOn(attributes['w:val']);
    else if (name === 'w:sdtContent' && this.skipping === 0) this.prompts.push(this.isPrompt);
    if (this.skipping === 0 && name === 'w:pPr') this.isInProperties = true;
    if (this.skipping === 0 && this.isInProperties && MARK_CHANGES.has(name)) {
      const paragraph = this.paragraphs.at(-1);
      if (paragraph !== undefined) paragraph.isMarkDeleted = true;
    }
    if (this.skipping > 0 || SKIPPED.has(name) || this.isOtherBranch(name)) this.skipping += 1;
    else {
      if (GROUNDS.has(name)) this.grounds += 1;
      if (!this.openBlock(name, attributes)) this.openInline(name, attributes);
    }
  }

  close(name: string): void {
    if (this.skipping > 0) {
      this.skipping -= 1;
      return;
    }
    if (name === 'w:sdtContent') this.prompts.pop();
    if (GROUNDS.has(name)) this.grounds -= 1;
    if (CONTAINERS.has(name)) this.releaseCarried();
    if (name === 'w:pPr') this.isInProperties = false;
    if (name === 'mc:AlternateContent') this.alternatives.pop();
    else if (name === 'w:p') this.closeParagraph();
    else if (name === 'w:tc') this.closeCell();
    else if (name === 'w:tr') this.flow.closeRow();
    else if (name === 'w:tbl') this.flow.closeTable();
    else {
      this.describeDrawing(this.description.close(name));
      this.paragraphs.at(-1)?.run.close(name);
    }
  }

  text(text: string): void {
    if (this.skipping > 0) return;
    if (this.prompts.at(-1) === true) this.hiddenCharacters += text.length;
    else this.paragraphs.at(-1)?.run.text(text);
  }

  /** A drawing is often there twice, for newer and for older programs: the first branch counts. */
  private isOtherBranch(name: string): boolean {
    if (name === 'mc:AlternateContent') this.alternatives.push(false);
    if ((name !== 'mc:Choice' && name !== 'mc:Fallback') || this.alternatives.length === 0) return false;
    const wasRead = this.alternatives.at(-1)!;
    this.alternatives[this.alternatives.length - 1] = true;
    return wasRead;
  }

  private openBlock(name: string, attributes: XmlAttributes): boolean {
    switch (name) {
      case 'w:p':
        this.ensureCell();
        this.openParagraph();
        return true;
      case 'w:tbl':
        this.releaseCarried();
        this.ensureCell();
        this.flow.openTable();
        return true;
      case 'w:tr':
        this.flow.openRow();
        return true;
      case 'w:gridBefore':
        this.flow.openCell({ across: Number(attributes['w:val']) || 1 });
        this.flow.closeCell();
        return true;
      case 'w:tc':
        this.pendingCell = {};
        return true;
      case 'w:gridSpan':
        if (this.pendingCell !== undefined) this.pendingCell.across = Number(attributes['w:val']) || 1;
        return true;
      case 'w:vMerge':
      case 'w:hMerge':
        if (this.pendingCell !== undefined && attributes['w:val'] !== 'restart') {
          this.pendingCell.repeats = name === 'w:vMerge' ? 'above' : 'left';
        }
        return true;
      case 'w:altChunk':
        this.releaseCarried();
        this.ensureCell();
        this.onAnchors([{ kind: 'part', id: attributes['r:id'] ?? '' }]);
        return true;
      default:
        return false;
    }
  }

  private openInline(name: string, attributes: XmlAttributes): void {
    if (name === 'pic:pic' || name === 'v:imagedata') this.images += 1;
    this.description.open(name, attributes);
    if (name === 'v:shape') this.describeDrawing(alternativeText(attributes['alt']));
    const paragraph = this.paragraphs.at(-1);
    if (paragraph === undefined) return;
    const value = attributes['w:val'];
    if (name === 'w:pStyle') {
      paragraph.style = value;
      paragraph.run.open(name, attributes);
    } else if (name === 'w:numId') paragraph.numId = value;
    else if (name === 'w:ilvl') paragraph.listLevel = Number(value);
    else if (name === 'w:outlineLvl') paragraph.outlineLevel = Number(value);
    else if (name === 'c:chart') paragraph.anchors.push({ kind: 'drawing', id: attributes['r:id'] ?? '' });
    else if (name === 'dgm:relIds') paragraph.anchors.push({ kind: 'drawing', id: attributes['r:dm'] ?? '' });
    else if (ANCHORS[name] !== undefined) {
      paragraph.anchors.push({ kind: ANCHORS[name], id: attributes['w:id'] ?? '' });
    } else paragraph.run.open(name, attributes);
  }

  /** The picture in a group often has the alternative text that the group has. */
  private describeDrawing(words: string): void {
    const paragraph = this.paragraphs.at(-1);
    if (words === '' || paragraph === undefined || paragraph.descriptions.at(-1) === words) return;
    paragraph.descriptions.push(words);
  }

  /** The properties of a cell come before its content. */
  private ensureCell(): void {
    if (this.pendingCell === undefined) return;
    this.flow.openCell(this.pendingCell);
    this.pendingCell = undefined;
  }

  private closeCell(): void {
    this.ensureCell();
    this.flow.closeCell();
  }

  private closeParagraph(): void {
    const paragraph = this.paragraphs.pop();
    if (paragraph === undefined) return;
    this.hiddenCharacters += paragraph.run.hiddenCharacters;
    this.struckCharacters += paragraph.run.struckCharacters;
    for (const { text, look } of paragraph.run.unseen) this.onUnseen(text, look);
    const { carried = { text: '', anchors: [], descriptions: [], last: undefined } } = paragraph;
    const text = paragraph.run.finish();
    carried.text += text;
    for (const anchor of paragraph.anchors) carried.anchors.push(anchor);
    for (const words of paragraph.descriptions) carried.descriptions.push(words);
    // An empty paragraph of a list has its number all the same.
    if (/\S/.test(text) || (carried.last === undefined && paragraph.isMarkDeleted !== true)) carried.last = paragraph;
    if (paragraph.isMarkDeleted === true) this.carried[this.paragraphs.length] = carried;
    else this.write(carried);
  }

  private openParagraph(): void {
    const depth = this.paragraphs.length;
    const carried = this.carried[depth];
    this.carried[depth] = undefined;
    const run = new RunText(this.fields, this.grounds > 0, (style) => this.styles.isStruck(style));
    this.paragraphs.push({ run, anchors: [], descriptions: [], carried });
  }

  /** Writes paragraphs without marks that nothing follows: at the end of whatever they are in. */
  releaseCarried(): void {
    const depth = this.paragraphs.length;
    const carried = this.carried[depth];
    if (carried === undefined) return;
    this.carried[depth] = undefined;
    this.write(carried);
  }

  private write({ text, anchors, descriptions, last }: Carried): void {
    if (last !== undefined) {
      const { shape, marker } = this.describe(last);
      this.flow.paragraph(shape, text, marker);
    }
    for (const words of descriptions) this.flow.paragraph({ kind: 'caption' }, words);
    if (anchors.length > 0) this.onAnchors(anchors);
  }

  private describe(paragraph: Paragraph): { shape: BlockShape; marker: string } {
    const { style, outlineLevel } = paragraph;
    const own = outlineLevel === undefined ? undefined : (outlineShape(outlineLevel) ?? { kind: 'paragraph' as const });
    const ofStyle = this.styles.shapeOf(style);
    // A style that is a heading by its name stays one, whatever level a paragraph asks for.
    const shape = own?.kind === 'heading' || (own !== undefined && ofStyle.kind !== 'heading') ? own : ofStyle;
    const list = this.styles.listOf(style);
    const numId = paragraph.numId ?? list?.numId;
    if (numId === undefined || numId === '0') return { shape, marker: '' };
    const mark = this.numbering.next(numId, paragraph.listLevel ?? list?.level, list?.styleId ?? style);
    if (mark === undefined) return { shape, marker: '' };
    const label = mark.label === undefined || mark.label === '' ? '' : `${mark.label} `;
    if (shape.kind === 'heading') return { shape, marker: label };
    if (mark.label === '') return { shape, marker: '' };
    return { shape: { kind: 'list_item', level: mark.level + 1 }, marker: label === '' ? '- ' : label };
  }
}
