import type { BlockShape } from '../../html/block-writer.js';
import type { OoxmlPackage } from '../ooxml/ooxml-package.js';
import { isOn } from './run-text.js';

/** What a paragraph style says, its ancestors not included. */
interface Style {
  id: string;
  name: string;
  basedOn?: string;
  /** 0–8; 9 is text. */
  outlineLevel?: number;
  numId?: string;
  listLevel?: number;
  isStruck?: boolean;
}

const MAX_ANCESTORS = 20;

/** The paragraph styles of a document. */
export class DocxStyles {
  private readonly styles: ReadonlyMap<string, Style>;
  private readonly shapes = new Map<string, BlockShape>();

  private constructor(styles: ReadonlyMap<string, Style>) {
    this.styles = styles;
  }

  /** Reads the part with the styles; a document without one has only what the ids of its styles say. */
  static async read(parts: OoxmlPackage, name: string | undefined): Promise<DocxStyles> {
    const styles = new Map<string, Style>();
    let style: Style | undefined;
    await parts.read(name, {
      open: (element, attributes) => {
        const value = attributes['w:val'];
        if (element === 'w:style') {
          style = { id: attributes['w:styleId'] ?? '', name: '' };
          styles.set(style.id, style);
        } else if (style !== undefined && /^w:d?strike$/.test(element)) style.isStruck = isOn(value);
        else if (style === undefined || value === undefined) {
          return;
        } else if (element === 'w:name') style.name = value.toLowerCase();
        else if (element === 'w:basedOn') style.basedOn = value;
        else if (element === 'w:outlineLvl') style.outlineLevel = Number(value);
        else if (element === 'w:numId') style.numId = value;
        else if (element === 'w:ilvl') style.listLevel = Number(value);
      },
      close: (element) => {
        if (element === 'w:style') style = undefined;
      },
    });
    return new DocxStyles(styles);
  }

  /** What a paragraph of this style is: heading, caption, quotation or plain text. */
  shapeOf(id: string | undefined): BlockShape {
    if (id === undefined) return { kind: 'paragraph' };
    let shape = this.shapes.get(id);
    if (shape === undefined) {
      shape = this.decide(id);
      this.shapes.set(id, shape);
    }
    return shape;
  }

  /** The list that the style puts its paragraphs in; `level` may be left to the list. `0` means none. */
  listOf(id: string | undefined): { numId: string; level?: number; styleId: string } | undefined {
    let level: number | undefined;
    for (const style of this.ancestry(id)) {
      level ??= style.listLevel;
      if (style.numId !== undefined) return { numId: style.numId, level, styleId: style.id };
    }
    return undefined;
  }

  /** Whether a style, or the nearest of those that it is based on which says so, strikes its words out. */
  isStruck(id: string | undefined): boolean {
    for (const { isStruck } of this.ancestry(id)) if (isStruck !== undefined) return isStruck;
    return false;
  }

  private decide(id: string): BlockShape {
    for (const { name, outlineLevel } of this.ancestry(id)) {
      const shape = shapeOfName(name);
      if (shape !== undefined) return shape;
      if (outlineLevel !== undefined) return outlineShape(outlineLevel) ?? { kind: 'paragraph' };
    }
    return this.styles.has(id) ? { kind: 'paragraph' } : (shapeOfName(id.toLowerCase()) ?? { kind: 'paragraph' });
  }

  /** A style and what it is based on, nearest first. */
  private *ancestry(id: string | undefined): Generator<Style> {
    let style = id === undefined ? undefined : this.styles.get(id);
    for (let steps = 0; style !== undefined && steps < MAX_ANCESTORS; steps += 1) {
      yield style;
      style = style.basedOn === undefined ? undefined : this.styles.get(style.basedOn);
    }
  }
}

/** The built-in styles have the same names in every language of the program. */
function shapeOfName(name: string): BlockShape | undefined {
  const heading = /^heading ?([1-9])$/.exec(name)?.[1];
  if (heading !== undefined) return outlineShape(Number(heading) - 1);
  if (name === 'title') return { kind: 'heading', level: 1 };
  if (name === 'subtitle') return { kind: 'heading', level: 2 };
  if (name === 'caption') return { kind: 'caption' };
  return name === 'quote' || name === 'intense quote' ? { kind: 'quote' } : undefined;
}

/** An outline level from 0 as a heading; undefined for the level of plain text. */
export function outlineShape(level: number): BlockShape | undefined {
  return level >= 0 && level <= 8 ? { kind: 'heading', level: Math.min(level + 1, 6) } : undefined;
}
