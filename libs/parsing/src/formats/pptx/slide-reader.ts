import { RecordedFlow } from '../../output/flow.js';
import type { XmlAttributes, XmlHandler } from '../../xml/xml-reader.js';
import { ShapeDescription } from '../ooxml/shape-description.js';
import { AutoNumbers } from './auto-number.js';
import { placeholderOf, readBullet, type Bullet, type BulletStyles, type Placeholder } from './bullet-styles.js';

/** What a shape is for. */
type Role = 'title' | 'text' | 'footer' | 'skipped';

interface Shape {
  role: Role;
  placeholder?: Placeholder;
  /** Bullets that the shape itself sets, by level. */
  levels: Map<number, Bullet>;
  numbers: AutoNumbers;
  /** The slide does not show it. */
  isHidden: boolean;
}

interface Paragraph {
  parts: string[];
  level: number;
  bullet?: Bullet;
}

const TITLES = new Set(['title', 'ctrTitle']);
/** Numbers and dates of a slide are no text of it; what the notes show of the slide is there already. */
const SKIPPED_PLACEHOLDERS = new Set(['sldNum', 'dt', 'hdr', 'sldImg']);

/** Reads one slide, or the notes of one: the title apart, everything else in the order of the shapes. */
export class SlideReader implements XmlHandler {
  readonly titles: string[] = [];
  readonly footers: string[] = [];
  readonly body = new RecordedFlow();
  images = 0;
  isHidden = false;
  /** Characters that are struck out. */
  struckCharacters = 0;
  private isStruck = false;
  /** Texts of shapes that the slide does not show. */
  readonly hiddenTexts: string[] = [];
  private readonly styles: BulletStyles | undefined;
  private readonly drawDrawing: (relation: string, flow: RecordedFlow) => void;
  private readonly description = new ShapeDescription();
  private readonly alternatives: boolean[] = [];
  private shape: Shape = newShape();
  private paragraph: Paragraph | undefined;
  private listLevel = -1;
  private isText = false;
  private skipping = 0;

  private readonly leavesHidden: boolean;

  /** `leavesHidden`: what the slide does not show is left out. */
  constructor(
    styles: BulletStyles | undefined,
    drawDrawing: (relation: string, flow: RecordedFlow) => void,
    leavesHidden = false,
  ) {
    this.leavesHidden = leavesHidden;
    this.styles = styles;
    this.drawDrawing = drawDrawing;
  }

  open(name: string, attributes: XmlAttributes): void {
    this.isText = false;
    if (this.skipping > 0 || this.isSkipped(name, attributes)) this.skipping += 1;
    else if (this.paragraph === undefined) this.openOutside(name, attributes);
    else this.openInside(this.paragraph, name, attributes);
  }

  close(name: string): void {
    this.isText = false;
    if (this.skipping > 0) {
      this.skipping -= 1;
      return;
    }
    if (name === 'mc:AlternateContent') this.alternatives.pop();
    else if (name === 'a:p') this.closeParagraph();
    else if (name === 'a:tc') this.body.closeCell();
    else if (name === 'a:tr') this.body.closeRow();
    else if (name === 'a:tbl') this.body.closeTable();
    else if (/^a:lvl[1-9]pPr$/.test(name)) this.listLevel = -1;
    else if (name === 'p:sp' || name === 'p:cxnSp') this.shape = newShape();
    else this.writeDescription(this.description.close(name));
  }

  text(text: string): void {
    if (!this.isText || this.skipping > 0) return;
    if (this.isStruck) this.struckCharacters += text.length;
    else this.paragraph?.parts.push(text);
  }

  private isSkipped(name: string, { type }: XmlAttributes): boolean {
    if (name === 'mc:AlternateContent') this.alternatives.push(false);
    if (name === 'a:fld') return type === 'slidenum' || type?.startsWith('datetime') === true;
    if ((name !== 'mc:Choice' && name !== 'mc:Fallback') || this.alternatives.length === 0) return name === 'p:extLst';
    const wasRead = this.alternatives.at(-1)!;
    this.alternatives[this.alternatives.length - 1] = true;
    return wasRead;
  }

  private openOutside(name: string, attributes: XmlAttributes): void {
    this.description.open(name, attributes);
    if (name === 'p:sld') this.isHidden = attributes['show'] === '0' || attributes['show'] === 'false';
    else if (name === 'p:cNvPr') this.shape.isHidden = isSet(attributes['hidden']);
    else if (name === 'p:ph') this.takePlaceholder(placeholderOf(attributes));
    else if (name === 'a:p') this.paragraph = { parts: [], level: 0 };
    else if (name === 'p:pic') this.images += 1;
    else if (name === 'c:chart') this.drawDrawing(attributes['r:id'] ?? '', this.body);
    else if (name === 'dgm:relIds') this.drawDrawing(attributes['r:dm'] ?? '', this.body);
    else if (/^a:lvl[1-9]pPr$/.test(name)) this.listLevel = Number(name[5]) - 1;
    else if (this.listLevel >= 0) {
      const bullet = readBullet(name, attributes);
      if (bullet !== undefined) this.shape.levels.set(this.listLevel, bullet);
    } else this.openTablePart(name, attributes);
  }

  private openTablePart(name: string, attributes: XmlAttributes): void {
    if (name === 'a:tbl') this.body.openTable();
    else if (name === 'a:tr') this.body.openRow();
    else if (name === 'a:tc') {
      // Every place of the grid has a cell; those that are covered say so.
      const repeats = isSet(attributes['hMerge']) ? 'left' : isSet(attributes['vMerge']) ? 'above' : undefined;
      this.body.openCell({ repeats });
    }
  }

  private openInside(paragraph: Paragraph, name: string, attributes: XmlAttributes): void {
    if (name === 'a:t' || name === 'm:t') this.isText = true;
    else if (name === 'a:r') this.isStruck = false;
    else if (name === 'a:rPr') this.isStruck = (attributes['strike'] ?? 'noStrike') !== 'noStrike';
    else if (name === 'a:br') paragraph.parts.push('\n');
    else if (name === 'a:tab') paragraph.parts.push('\t');
    else if (name === 'a:pPr') paragraph.level = Math.min(Math.max(Number(attributes['lvl'] ?? 0) || 0, 0), 8);
    else paragraph.bullet = readBullet(name, attributes) ?? paragraph.bullet;
  }

  private writeDescription(words: string): void {
    if (words !== '') this.body.paragraph({ kind: 'caption' }, words);
  }

  private takePlaceholder(placeholder: Placeholder): void {
    this.shape.placeholder = placeholder;
    if (TITLES.has(placeholder.type)) this.shape.role = 'title';
    else if (placeholder.type === 'ftr') this.shape.role = 'footer';
    else if (SKIPPED_PLACEHOLDERS.has(placeholder.type)) this.shape.role = 'skipped';
  }

  private closeParagraph(): void {
    const { paragraph, shape } = this;
    this.paragraph = undefined;
    // PowerPoint writes a line break within a run as a vertical tab.
    const text = (paragraph?.parts.join('') ?? '').replace(/_x000B_|\v/g, '\n').trim();
    if (paragraph === undefined || text === '' || shape.role === 'skipped') return;
    if (shape.isHidden) {
      this.hiddenTexts.push(text);
      if (this.leavesHidden) return;
    }
    if (shape.role === 'title') this.titles.push(text.replaceAll('\n', ' '));
    else if (shape.role === 'footer') this.footers.push(text);
    else this.writeParagraph(paragraph, text);
  }

  private writeParagraph(paragraph: Paragraph, text: string): void {
    const { level } = paragraph;
    const bullet = paragraph.bullet ?? this.shape.levels.get(level) ?? this.inherited(level);
    const { numbers } = this.shape;
    if (bullet?.kind !== 'number') numbers.interrupt(level);
    if (bullet === undefined || bullet.kind === 'none') return this.body.paragraph({ kind: 'paragraph' }, text);
    const marker = bullet.kind === 'mark' ? '-' : numbers.next(level, bullet.scheme, bullet.start);
    this.body.paragraph({ kind: 'list_item', level: level + 1 }, text, `${marker} `);
  }

  private inherited(level: number): Bullet | undefined {
    const { placeholder } = this.shape;
    return placeholder === undefined ? undefined : this.styles?.bulletOf(placeholder, level);
  }
}

function newShape(): Shape {
  return { role: 'text', levels: new Map(), numbers: new AutoNumbers(), isHidden: false };
}

function isSet(value: string | undefined): boolean {
  return value === '1' || value === 'true';
}
