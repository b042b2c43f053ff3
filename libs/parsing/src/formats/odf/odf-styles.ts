import { formatNumber, type NumberStyle } from '../../numbering/format-number.js';
import type { XmlAttributes } from '../../xml/xml-reader.js';

/** How one level of a list, or of the headings, is marked. */
interface LevelStyle {
  /** Empty for bullets and for levels that show nothing. */
  numberFormat: string;
  isBullet: boolean;
  prefix: string;
  suffix: string;
  start: number;
  /** Numbers of this many higher levels are before the own one; 1 is only the own. */
  shownLevels: number;
}

interface ParagraphStyle {
  parent?: string;
  displayName?: string;
  listStyle?: string;
  isHidden: boolean;
  /** As the style says; undefined: as what it is based on. */
  isStruck?: boolean;
  isSheetHidden: boolean;
  isSlideHidden: boolean;
  /** As the style says; undefined: as what it is based on. */
  colour?: string;
  ground?: string;
}

const FORMATS: Readonly<Record<string, NumberStyle>> = {
  a: 'lower-letter',
  A: 'upper-letter',
  i: 'lower-roman',
  I: 'upper-roman',
};
const MAX_ANCESTORS = 20;
const WHITE = /^#f[c-f]f[c-f]f[c-f]$/i;
const LEVEL_ELEMENT = /^text:(?:list-level-style-(?:number|bullet|image)|outline-level-style)$/;

/** Styles of paragraphs, lists and headings, from both parts of a document that hold some. */
export class OdfStyles {
  private readonly styles = new Map<string, ParagraphStyle>();
  private readonly lists = new Map<string, Map<number, LevelStyle>>();
  private readonly outline = new Map<number, LevelStyle>();
  private openStyle: ParagraphStyle | undefined;
  private openLevels: Map<number, LevelStyle> | undefined;

  /** Takes an element of a part as it passes; anything else than a style is ignored. */
  open(name: string, attributes: XmlAttributes): void {
    if (name === 'style:style') {
      this.openStyle = {
        parent: attributes['style:parent-style-name'],
        displayName: attributes['style:display-name'],
        listStyle: attributes['style:list-style-name'],
        isHidden: false,
        isSheetHidden: false,
        isSlideHidden: false,
      };
      this.styles.set(attributes['style:name'] ?? '', this.openStyle);
    } else if (name === 'text:list-style') {
      this.openLevels = new Map();
      this.lists.set(attributes['style:name'] ?? '', this.openLevels);
    } else if (name === 'text:outline-style') this.openLevels = this.outline;
    else if (LEVEL_ELEMENT.test(name)) this.takeLevel(name, attributes);
    else if (name === 'style:text-properties' && this.openStyle !== undefined) {
      this.openStyle.isHidden = attributes['text:display'] === 'none';
      this.openStyle.colour = attributes['fo:color'];
      const line = attributes['style:text-line-through-style'] ?? attributes['style:text-line-through-type'];
      this.openStyle.isStruck = line === undefined ? undefined : line !== 'none';
    } else if (name === 'style:table-properties' && this.openStyle !== undefined) {
      this.openStyle.isSheetHidden = attributes['table:display'] === 'false';
    } else if (name === 'style:drawing-page-properties' && this.openStyle !== undefined) {
      this.openStyle.isSlideHidden = attributes['presentation:visibility'] === 'hidden';
    } else if (name === 'style:table-cell-properties' && this.openStyle !== undefined) {
      this.openStyle.ground = attributes['fo:background-color'];
    }
  }

  close(name: string): void {
    if (name === 'style:style') this.openStyle = undefined;
    else if (name === 'text:list-style' || name === 'text:outline-style') this.openLevels = undefined;
  }

  /** Whether a style, or one that it is based on, has this built-in name. */
  isNamed(style: string | undefined, wanted: string): boolean {
    return this.ancestry(style).some(({ name }) => name === wanted);
  }

  isHidden(style: string | undefined): boolean {
    return this.ancestry(style).some(({ style: own }) => own?.isHidden === true);
  }

  /** Whether a style, or the nearest of those that it is based on which says so, strikes its words out. */
  isStruck(style: string | undefined): boolean {
    return this.ancestry(style).find(({ style: own }) => own?.isStruck !== undefined)?.style?.isStruck === true;
  }

  /** Whether cells of a style have white text on a white ground, or on none. */
  isWhiteOnWhite(style: string | undefined): boolean {
    if (style === undefined) return false;
    const chain = this.ancestry(style);
    const colour = chain.find(({ style: own }) => own?.colour !== undefined)?.style?.colour;
    const ground = chain.find(({ style: own }) => own?.ground !== undefined)?.style?.ground;
    return WHITE.test(colour ?? '') && (ground === undefined || ground === 'transparent' || WHITE.test(ground));
  }

  isSheetHidden(style: string | undefined): boolean {
    return style !== undefined && this.styles.get(style)?.isSheetHidden === true;
  }

  isSlideHidden(style: string | undefined): boolean {
    return style !== undefined && this.styles.get(style)?.isSlideHidden === true;
  }

  /** The marker of an item: text of its number, `-` for a bullet, `''` for neither. Counters by level from 1. */
  marker(listStyle: string | undefined, level: number, counters: readonly (number | undefined)[]): string {
    const levels = listStyle === undefined ? undefined : this.lists.get(listStyle);
    const style = levels?.get(level);
    if (style === undefined || style.isBullet) return '-';
    return this.number(levels!, level, counters);
  }

  /** The number of a heading, `''` when headings have none. */
  headingNumber(level: number, counters: readonly (number | undefined)[]): string {
    return this.outline.has(level) ? this.number(this.outline, level, counters) : '';
  }

  /** First number of a level. */
  startOf(listStyle: string | undefined, level: number): number {
    const levels = listStyle === undefined ? this.outline : this.lists.get(listStyle);
    return levels?.get(level)?.start ?? 1;
  }

  private takeLevel(name: string, attributes: XmlAttributes): void {
    this.openLevels?.set(Number(attributes['text:level']), {
      numberFormat: attributes['style:num-format'] ?? '',
      isBullet: name.endsWith('bullet') || name.endsWith('image'),
      prefix: attributes['style:num-prefix'] ?? '',
      suffix: attributes['style:num-suffix'] ?? '',
      start: Number(attributes['text:start-value'] ?? 1) || 1,
      shownLevels: Math.min(Number(attributes['text:display-levels'] ?? 1) || 1, 10),
    });
  }

  private number(
    levels: ReadonlyMap<number, LevelStyle>,
    level: number,
    counters: readonly (number | undefined)[],
  ): string {
    const style = levels.get(level);
    if (style === undefined || style.numberFormat === '') return '';
    const numbers: string[] = [];
    for (let at = Math.max(level - style.shownLevels + 1, 1); at <= level; at += 1) {
      const own = levels.get(at);
      if (own === undefined || own.numberFormat === '') continue;
      numbers.push(formatNumber(counters[at] ?? own.start, FORMATS[own.numberFormat] ?? 'decimal'));
    }
    return `${style.prefix}${numbers.join('.')}${style.suffix}`.trim();
  }

  private ancestry(name: string | undefined): { name: string; style?: ParagraphStyle }[] {
    const chain: { name: string; style?: ParagraphStyle }[] = [];
    for (let at = name; at !== undefined && chain.length < MAX_ANCESTORS;) {
      const style = this.styles.get(at);
      chain.push({ name: at, style });
      at = style?.parent;
    }
    return chain;
  }
}
