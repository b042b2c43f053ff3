import type { ParsedPage, TextItem } from '@llamaindex/liteparse';
import { linesOf } from './page-lines.js';
import { pageNumberOf, type NumberedText } from './page-number.js';
import { bare, titleKey } from './page-text.js';

/** A line at the top or bottom of a page that is printed on page after page. */
export interface RunningLine {
  readonly edge: Edge;
  /** Its middle, in points from the top. */
  readonly y: number;
  /** What it says from left to right. */
  readonly parts: readonly string[];
  /** The number of the page as it is at the beginning or end of a part, where there is one. */
  readonly number: string;
  /** What it says without that. */
  readonly words: string;
}

type Edge = 'top' | 'bottom';

/** A line of a page, as far as its edge matters. */
interface EdgeLine {
  readonly edge: Edge;
  readonly y: number;
  readonly items: readonly EdgeItem[];
  readonly isInTable: boolean;
  readonly size: number;
  /** Its height on the page and its size. */
  readonly slot: string;
  /** What it says without numbers that are set apart; undefined where it is too long. */
  readonly title?: string;
}

/** A height at which lines of one size are, on whatever pages. */
interface Slot {
  readonly pages: Sides;
  /** Pages by what they say there. */
  readonly titles: Map<string, number>;
}

/** Left and right pages. */
type Sides = [number, number];

interface EdgeItem {
  readonly text: string;
  /** Place and text; with the number of the page, what it is more than that of the sheet. */
  readonly keys: readonly EdgeKey[];
}

interface EdgeKey {
  readonly key: string;
  /** Whether it counts the pages, and how that is told. */
  readonly number?: NumberedText['kind'];
  /** Must be there too before a loose number behind words counts the pages: the same words without one. */
  readonly mirror?: string;
}

/** Lines at one edge of a page, and the share of its height that they lie in. */
const MOST_LINES = 4;
const EDGE_SHARE = 0.18;
/** Of all pages, those that have a line: left and right pages may differ. */
const LEAST_SHARE = 0.4;
/** Lines that are set larger than the text are titles: of a form, a certificate, a slide. */
const LARGEST_SIZE = 1.25;
/** Pages with a line at one height, and of them, those whose words are on another page too or are a heading: chapters have a head of their own each. */
const LEAST_SLOT_PAGES = 4;
const LEAST_SLOT_SHARE = 0.6;
const MAX_HEADINGS = 50_000;
const ELSEWHERE = '';
const MAX_UNITS = 200;
const AROUND_NUMBER = /^[\s|·•–—-]+|[\s|·•–—-]+$/gu;

/**
 * Finds what is printed at the edges of page after page: the same words at the same place on two of five pages and on as many as are asked for, numbers of
 * pages aside; or what is at a height where most pages, or most left or right ones, repeat each other, as chapters do. All of a line must repeat,
 * and all lines outside of it; what is only once beside it is a value, or a heading of the page.
 * Lines of tables are rows unless they run elsewhere too or count the pages.
 */
export class RunningLines {
  private readonly counts = new Map<string, number>();
  private readonly slots = new Map<string, Slot>();
  /** Headings by their words, and where they are: a slot, or elsewhere. */
  private readonly headings = new Map<string, string>();
  private readonly leastPages: number;
  private pages = 0;
  private readonly sides: Sides = [0, 0];
  private sizes = new Map<number, number>();

  /** `leastPages`: this many pages must have a line. */
  constructor(leastPages: number) {
    this.leastPages = leastPages;
  }

  /** Takes pages, before `of` is asked about them. */
  look(pages: readonly ParsedPage[]): void {
    for (const [key, count] of this.counts) if (count < 2) this.counts.delete(key);
    for (const { titles } of this.slots.values()) {
      for (const [title, count] of titles) if (count < 2 && !this.headings.has(title)) titles.delete(title);
    }
    for (const page of pages) {
      this.pages += 1;
      this.sides[sideOf(page)] += 1;
      for (const { text, fontSize = 0 } of page.textItems) {
        const size = Math.round(fontSize);
        this.sizes.set(size, (this.sizes.get(size) ?? 0) + text.length);
      }
      const keys = new Set<string>();
      const lines = edgeLines(page);
      this.lookAtHeadings(page, lines);
      for (const line of lines) {
        this.lookAt(line, sideOf(page));
        for (const item of line.items) {
          for (const { key, number } of item.keys) if (number !== undefined || !line.isInTable) keys.add(key);
        }
      }
      for (const key of keys) this.counts.set(key, (this.counts.get(key) ?? 0) + 1);
    }
  }

  private lookAtHeadings({ blocks = [] }: ParsedPage, lines: readonly EdgeLine[]): void {
    for (const { kind, text = '' } of blocks) {
      if (kind !== 'heading' || this.headings.size >= MAX_HEADINGS) continue;
      const title = titleKey(text);
      const those = lines.filter((line) => line.title === title);
      const slot = those.length === 1 ? those[0]!.slot : ELSEWHERE;
      const known = this.headings.get(title);
      this.headings.set(title, known === undefined || known === slot ? slot : ELSEWHERE);
    }
  }

  private lookAt({ slot, title, isInTable }: EdgeLine, side: 0 | 1): void {
    if (title === undefined || isInTable) return;
    const known: Slot = this.slots.get(slot) ?? { pages: [0, 0], titles: new Map<string, number>() };
    known.pages[side] += 1;
    if (title !== '') known.titles.set(title, (known.titles.get(title) ?? 0) + 1);
    this.slots.set(slot, known);
  }

  /** The running lines of a page, each edge from outside. */
  of(page: ParsedPage): RunningLine[] {
    const headings = new Set(
      (page.blocks ?? []).flatMap(({ kind, text }) => (kind === 'heading' ? bare(text ?? '') : [])),
    );
    const lines = edgeLines(page);
    return (['top', 'bottom'] as const).flatMap((edge) => {
      const those = lines.filter((line) => line.edge === edge);
      const end = those.findIndex((line) => !this.isRunning(line, headings));
      return those.slice(0, end < 0 ? those.length : end).map((line) => this.describe(line));
    });
  }

  private isRunning(line: EdgeLine, headings: ReadonlySet<string>): boolean {
    return this.isInRunningSlot(line) || this.repeats(line, headings);
  }

  /** Whether most lines at its height are on several pages; one of them may be a chapter of one page. */
  private isInRunningSlot({ slot, title, size, isInTable }: EdgeLine): boolean {
    if (title === undefined || isInTable || size > this.textSize() * LARGEST_SIZE) return false;
    const { pages, titles } = this.slots.get(slot) ?? { pages: [0, 0], titles: new Map<string, number>() };
    const filled = pages[0] + pages[1];
    if (filled < LEAST_SLOT_PAGES) return false;
    const isOnMost =
      filled >= this.pages * LEAST_SHARE ||
      pages.some((count, side) => count >= LEAST_SLOT_PAGES && count >= this.sides[side]! * LEAST_SHARE);
    if (!isOnMost) return false;
    let again = 0;
    for (const [words, count] of titles) if (count > 1 || this.isHeadingElsewhere(words, slot)) again += count;
    return again >= filled * LEAST_SLOT_SHARE;
  }

  private isHeadingElsewhere(words: string, slot: string): boolean {
    const place = this.headings.get(words);
    return place !== undefined && place !== slot;
  }

  private repeats({ items, size, isInTable }: EdgeLine, headings: ReadonlySet<string>): boolean {
    const hasNumber = items.some((item) => isApart(this.numberOf(item)));
    if (!hasNumber && (size > this.textSize() * LARGEST_SIZE || (isInTable && !items.every((item) => this.runs(item)))))
      return false;
    if (!hasNumber && !items.some((item) => this.runs(item))) return false;
    return items.every(
      (item) =>
        this.runs(item) ||
        item.keys.some(({ key }) => (this.counts.get(key) ?? 0) > 1) ||
        headings.has(bare(item.text)),
    );
  }

  private runs(item: EdgeItem): boolean {
    return item.keys.some((one) => this.isFrequent(one));
  }

  private isFrequent({ key, number, mirror }: EdgeKey): boolean {
    if (mirror !== undefined && (this.counts.get(mirror) ?? 0) < 2) return false;
    const count = this.counts.get(key) ?? 0;
    return count >= (number === 'named' ? 2 : this.leastPages) && count >= this.pages * LEAST_SHARE;
  }

  /** How a part of a line counts the pages, if it does. */
  private numberOf(item: EdgeItem): NumberedText['kind'] | undefined {
    return item.keys.find((one) => one.number !== undefined && this.isFrequent(one))?.number;
  }

  private describe({ edge, y, items }: EdgeLine): RunningLine {
    const parts = items.map(({ text }) => text.trim());
    const known = items.findIndex((item) => this.numberOf(item) !== undefined);
    const at = known >= 0 ? known : items.findIndex(({ keys }) => keys.some(({ number }) => isApart(number)));
    const { words = '' } = pageNumberOf(parts[at] ?? '') ?? {};
    const number = (parts[at] ?? '').replace(words, '').replace(AROUND_NUMBER, '');
    const rest = parts.map((part, index) => (index === at ? words : part)).filter((part) => part !== '');
    return { edge, y, parts, number, words: rest.join(' ') };
  }

  /** The size that most of the text has. */
  private textSize(): number {
    return [...this.sizes].toSorted((one, other) => other[1] - one[1])[0]?.[0] ?? 0;
  }
}

/** The outermost lines of a page, each edge from outside. */
function edgeLines(page: ParsedPage): EdgeLine[] {
  const items = page.textItems.filter(({ text, rotation = 0 }) => text.trim() !== '' && rotation % 360 === 0);
  const limit = page.height * EDGE_SHARE;
  const top = linesOf(items.filter(({ y }) => y < limit));
  const bottom = linesOf(items.filter(({ y, height }) => y + height > page.height - limit)).reverse();
  return [
    ...top.slice(0, MOST_LINES).map((line) => edgeLine(line, 'top', page)),
    ...bottom.slice(0, MOST_LINES).map((line) => edgeLine(line, 'bottom', page)),
  ];
}

function edgeLine(items: readonly TextItem[], edge: Edge, page: ParsedPage): EdgeLine {
  const [{ y, height }] = items as [TextItem, ...TextItem[]];
  const middle = y + height / 2;
  const isInTable = (page.blocks ?? []).some(
    ({ kind, bbox }) => kind === 'table' && bbox !== undefined && middle > bbox.y && middle < bbox.y + bbox.height,
  );
  const size = Math.max(...items.map(({ fontSize = 0 }) => fontSize));
  const place = `${edge}${Math.round(edge === 'top' ? y : page.height - y)}`;
  const isLong = items.reduce((sum, { text }) => sum + text.length, 0) > MAX_UNITS;
  const own = items.map(({ text }) => (isLong ? { text, keys: [] } : edgeItem(text, place, page.pageNum)));
  const slot = `${place} ${Math.round(size)}`;
  return { edge, y: middle, isInTable, size, items: own, slot, ...(!isLong && { title: titleOf(items) }) };
}

/** The words of a line without a number that may be that of the page; one that only a space sets apart is part of a name. */
function titleOf(items: readonly TextItem[]): string {
  const words = items.map(({ text }) => {
    const numbered = pageNumberOf(text.trim());
    return isApart(numbered?.kind) ? numbered!.words : text;
  });
  return titleKey(words.join(' '));
}

/** Whether more than a space parts a number from words. */
function isApart(kind: NumberedText['kind'] | undefined): boolean {
  return kind === 'named' || kind === 'bare';
}

function sideOf({ pageNum }: ParsedPage): 0 | 1 {
  return pageNum % 2 === 0 ? 0 : 1;
}

function edgeItem(text: string, place: string, page: number): EdgeItem {
  const plain = { key: `${place} ${text.replace(/\s+/g, ' ').trim()}` };
  const numbered = pageNumberOf(text.trim());
  if (numbered === undefined) return { text, keys: [plain] };
  const { words, number, kind, place: side } = numbered;
  const mirror = kind === 'loose' && side === 'behind' ? { mirror: `${place} ${words}` } : {};
  return { text, keys: [plain, { key: `${place} ${words}#${number - page}`, number: kind, ...mirror }] };
}
