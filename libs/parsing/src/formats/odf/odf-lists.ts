import type { XmlAttributes } from '../../xml/xml-reader.js';
import type { OdfStyles } from './odf-styles.js';

interface OpenList {
  style?: string;
  level: number;
  counters: (number | undefined)[];
  /** State of the item: its marker comes with its first paragraph. */
  item?: { isMarked: boolean; isHeader: boolean; start?: number };
}

/** What the first paragraph of an item is told. */
export interface ItemMark {
  level: number;
  /** With a space at the end; empty for further paragraphs of the item. */
  marker: string;
}

const MAX_LEVEL = 10;

/** Follows the lists of a document and counts their items. */
export class OdfLists {
  private readonly styles: OdfStyles;
  /** Lists inside of cells, frames and notes have nothing to do with those around. */
  private readonly scopes: OpenList[][] = [[]];
  /** Counters of the last list of each style, for lists that go on. */
  private readonly last = new Map<string, (number | undefined)[]>();
  private readonly headings: (number | undefined)[] = [];

  constructor(styles: OdfStyles) {
    this.styles = styles;
  }

  enterScope(): void {
    this.scopes.push([]);
  }

  leaveScope(): void {
    if (this.scopes.length > 1) this.scopes.pop();
  }

  openList(attributes: XmlAttributes): void {
    const lists = this.scopes.at(-1)!;
    const outer = lists.at(-1);
    const style = attributes['text:style-name'] ?? outer?.style;
    const continues =
      attributes['text:continue-numbering'] === 'true' || attributes['text:continue-list'] !== undefined;
    const counters = outer?.counters ?? (continues ? this.last.get(style ?? '') : undefined) ?? [];
    const level = Math.min((outer?.level ?? 0) + 1, MAX_LEVEL);
    if (outer !== undefined && !continues) counters[level] = undefined;
    lists.push({ style, level, counters });
    this.last.set(style ?? '', counters);
  }

  closeList(): void {
    this.scopes.at(-1)!.pop();
  }

  openItem(isHeader: boolean, attributes: XmlAttributes): void {
    const list = this.scopes.at(-1)!.at(-1);
    const start = Number(attributes['text:start-value']);
    if (list !== undefined) {
      list.item = { isMarked: false, isHeader, start: Number.isInteger(start) && start > 0 ? start : undefined };
    }
  }

  /** Counts the item that a paragraph with text begins; undefined outside of lists. */
  mark(): ItemMark | undefined {
    const list = this.scopes.at(-1)!.at(-1);
    if (list?.item === undefined) return undefined;
    const { level, style, counters, item } = list;
    if (item.isMarked || item.isHeader) return { level, marker: '' };
    item.isMarked = true;
    const before = counters[level];
    counters[level] = item.start ?? (before === undefined ? this.styles.startOf(style ?? '', level) : before + 1);
    counters.length = Math.min(counters.length, level + 1);
    const marker = this.styles.marker(style, level, counters);
    return { level, marker: marker === '' ? '' : `${marker} ` };
  }

  /** Counts a heading; its number with a space at the end, or nothing. */
  heading(level: number): string {
    this.headings.length = Math.min(this.headings.length, level + 1);
    for (let above = 1; above < level; above += 1) this.headings[above] ??= this.styles.startOf(undefined, above);
    const before = this.headings[level];
    this.headings[level] = before === undefined ? this.styles.startOf(undefined, level) : before + 1;
    const number = this.styles.headingNumber(level, this.headings);
    return number === '' ? '' : `${number} `;
  }
}
