import type { ParsedPage } from '@llamaindex/liteparse';
import { edgeLines, hasValue, isApart, type Edge, type EdgeItem, type EdgeKey, type EdgeLine } from './edge-lines.js';
import { pageNumberOf, type NumberedText } from './page-number.js';
import { bare, titleKey } from './page-text.js';
import { RunningTitles } from './running-titles.js';
import { PageOccurrences } from './page-occurrences.js';

/** A line at the top or bottom of a page that is printed on page after page. */
export interface RunningLine {
  readonly edge: Edge;
  /** Its middle, in points from the top. */
  readonly y: number;
  /** What it says from left to right. */
  readonly parts: readonly string[];
  /** The same, each without the number of the page. */
  readonly own: readonly string[];
  /** The number of the page as it is at the beginning or end of a part, where there is one. */
  readonly number: string;
  /** What it says without that. */
  readonly words: string;
}

/** Of all pages, those that have a line: left and right pages may differ. */
const LEAST_SHARE = 0.4;
/** Lines that are set larger than the text are titles: of a form, a certificate, a slide. */
const LARGEST_SIZE = 1.25;
const AROUND_NUMBER = /^[\s|·•–—-]+|[\s|·•–—-]+$/gu;

/**
 * Finds what is printed at the edges of page after page: the same words at the same place on two of five pages and on as many as are asked for, numbers of
 * pages aside; or the head of a chapter. All of a line must repeat, and all lines outside of it; what is only once beside it is a value, or a heading
 * of the page. Lines of tables are rows unless they run elsewhere too or count the pages.
 */
export class RunningLines {
  private readonly seen = new PageOccurrences();
  private readonly titles = new RunningTitles();
  private readonly leastPages: number;
  private pages = 0;
  private readonly sizes = new Map<number, number>();
  private textSize = 0;

  /** `leastPages`: this many pages must have a line. */
  constructor(leastPages: number) {
    this.leastPages = leastPages;
  }

  /** Takes pages, before `of` is asked about them. */
  look(pages: readonly ParsedPage[]): void {
    const first = pages[0]?.pageNum ?? 0;
    this.seen.forget(first);
    this.titles.begin(first);
    for (const page of pages) {
      this.pages += 1;
      for (const { text, fontSize = 0 } of page.textItems) {
        const size = Math.round(fontSize);
        this.sizes.set(size, (this.sizes.get(size) ?? 0) + text.length);
      }
      const lines = edgeLines(page);
      this.titles.look(page, lines);
      const keys = new Set<string>();
      for (const { items, isInTable } of lines) {
        for (const { key, number } of items.flatMap((item) => item.keys)) {
          if (number !== undefined || !isInTable) keys.add(key);
        }
      }
      for (const key of keys) this.seen.add(key, page.pageNum);
    }
    // The size that most of the text has.
    this.textSize = [...this.sizes].toSorted((one, other) => other[1] - one[1])[0]?.[0] ?? 0;
  }

  /** The running lines of a page, each edge from outside. */
  of(page: ParsedPage): RunningLine[] {
    const headings = new Set(
      (page.blocks ?? []).flatMap(({ kind, text }) =>
        kind === 'heading' ? [bare(text ?? ''), titleKey(text ?? '')] : [],
      ),
    );
    const lines = edgeLines(page);
    return (['top', 'bottom'] as const).flatMap((edge) => {
      const those = lines.filter((line) => line.edge === edge);
      const end = those.findIndex((line) => !this.isRunning(line, headings));
      return those.slice(0, end < 0 ? those.length : end).map((line) => this.describe(line));
    });
  }

  private isRunning(line: EdgeLine, headings: ReadonlySet<string>): boolean {
    return (!this.isLarge(line) && this.titles.runs(line)) || this.repeats(line, headings);
  }

  private isLarge({ size }: EdgeLine): boolean {
    return size > this.textSize * LARGEST_SIZE;
  }

  private repeats(line: EdgeLine, headings: ReadonlySet<string>): boolean {
    const { items, isInTable } = line;
    const hasNumber = items.some((item) => isApart(this.numberOf(item)));
    const doAllRun = items.every((item) => this.runs(item));
    if (!hasNumber && (this.isLarge(line) || (isInTable && !doAllRun))) return false;
    if (!hasNumber && !items.some((item) => this.runs(item))) return false;
    if (items.some((item, at) => !this.runs(item) && isValue(item, items[at - 1]))) return false;
    return items.every(
      (item) =>
        this.runs(item) || item.keys.some(({ key }) => this.seen.isTogether(key)) || headings.has(bare(item.text)),
    );
  }

  private runs(item: EdgeItem): boolean {
    return item.keys.some((one) => this.isFrequent(one));
  }

  private isFrequent({ key, number, mirror, opposite }: EdgeKey): boolean {
    if (mirror !== undefined && this.seen.get(mirror) < 2) return false;
    if (opposite !== undefined && this.seen.get(opposite) > 0) return false;
    const count = this.seen.get(key);
    return count >= (number === 'named' ? 2 : this.leastPages) && count >= this.pages * LEAST_SHARE;
  }

  /** How a part of a line counts the pages, if it does. */
  private numberOf(item: EdgeItem): NumberedText['kind'] | undefined {
    return item.keys.find((one) => one.number !== undefined && this.isFrequent(one))?.number;
  }

  private describe(line: EdgeLine): RunningLine {
    const parts = line.items.map(({ text }) => text.trim());
    const at = this.placeOfNumber(line);
    const { words = '' } = pageNumberOf(parts[at] ?? '') ?? {};
    const number = (parts[at] ?? '').replace(words, '').replace(AROUND_NUMBER, '');
    const own = parts.map((part, index) => (index === at ? words : part));
    return { edge: line.edge, y: line.y, parts, own, number, words: own.filter((part) => part !== '').join(' ') };
  }

  /** The part of a line with the number of the page; -1: none. */
  private placeOfNumber(line: EdgeLine): number {
    const { items } = line;
    const known = items.findIndex((item) => this.numberOf(item) !== undefined);
    if (known >= 0) return known;
    const apart = items.findIndex(({ keys }) => keys.some((one) => isApart(one.number) && one.opposite === undefined));
    return apart < 0 && this.titles.isCounted(line) ? 0 : apart;
  }
}

/** Whether a part of a line tells one thing from others: `4711` behind `Invoice:`, on the two pages of an invoice. */
function isValue({ text }: EdgeItem, before: EdgeItem | undefined): boolean {
  const numbered = pageNumberOf(text.trim());
  const words = (isApart(numbered?.kind) && numbered?.words) || text;
  const label = before?.text.trim() ?? '';
  return hasValue(/[:：]$/u.test(label) ? `${label} ${words}` : words);
}
