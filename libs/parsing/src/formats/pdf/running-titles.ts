import type { ParsedPage } from '@llamaindex/liteparse';
import { sideOf, type EdgeLine, type EdgeTitle } from './edge-lines.js';
import { bare, titleKey } from './page-text.js';
import { PageOccurrences } from './page-occurrences.js';

/** A height at which lines of one size are, on whatever pages. */
interface Slot {
  readonly pages: [left: number, right: number];
  /** Pages by what they say there. */
  readonly titles: PageOccurrences;
  /** How headings may say what they say. */
  readonly names: Map<string, readonly string[]>;
}

/** Of all pages, those that have a line: left and right pages may differ. */
const LEAST_SHARE = 0.4;
/** Pages with a line at one height, and of them, those whose words are on the next page too or are a heading: chapters have a head of their own each. */
const LEAST_SLOT_PAGES = 4;
const LEAST_SLOT_SHARE = 0.6;
const MAX_HEADINGS = 50_000;
const ELSEWHERE = '';
/** `Chapter 3: ` */
const CHAPTER = /^\p{L}+\.?\s*(\p{N}{1,3})[.:]?\s+/u;

/**
 * Finds heads of chapters: lines at a height where most pages, or most left or right ones, say what pages beside them say there, or what a heading says
 * elsewhere. What comes back again and again is the name on a form, and so is a label with a value unless a heading says it.
 */
export class RunningTitles {
  private readonly slots = new Map<string, Slot>();
  /** Headings by their words, with and without the number of the chapter, and where they are: a slot, or elsewhere. */
  private readonly headings = new Map<string, string>();
  private readonly sides: [left: number, right: number] = [0, 0];
  /** What is known of slots until more pages come. */
  private readonly known = new Map<string, boolean>();

  /** Forgets what was on one page alone, before pages from this one on are looked at. */
  begin(page: number): void {
    this.known.clear();
    for (const { titles, names } of this.slots.values()) {
      titles.forget(page, this.headings);
      for (const key of names.keys()) if (titles.get(key) === 0) names.delete(key);
    }
  }

  look(page: ParsedPage, lines: readonly EdgeLine[]): void {
    this.sides[sideOf(page)] += 1;
    for (const { kind, text = '' } of page.blocks ?? []) if (kind === 'heading') this.lookAtHeading(text, lines);
    for (const line of lines) this.lookAt(line, page);
  }

  private lookAtHeading(text: string, lines: readonly EdgeLine[]): void {
    if (this.headings.size >= MAX_HEADINGS) return;
    const those = lines.filter(({ title }) => title !== undefined && titleKey(title.words) === titleKey(text));
    const slot = those.length === 1 ? those[0]!.slot : ELSEWHERE;
    for (const key of new Set([bare(text), titleKey(text)])) {
      const known = this.headings.get(key);
      this.headings.set(key, known === undefined || known === slot ? slot : ELSEWHERE);
    }
  }

  private lookAt({ slot, title, isInTable }: EdgeLine, page: ParsedPage): void {
    if (title === undefined || isInTable) return;
    const known: Slot = this.slots.get(slot) ?? { pages: [0, 0], titles: new PageOccurrences(), names: new Map() };
    known.pages[sideOf(page)] += 1;
    for (const key of keysOf(title)) {
      known.titles.add(key, page.pageNum);
      known.names.set(key, namesOf(title));
    }
    this.slots.set(slot, known);
  }

  /** Whether a line is the head of a chapter. */
  runs({ slot, title, isInTable }: EdgeLine): boolean {
    if (title === undefined || isInTable || !this.isRunning(slot)) return false;
    const { titles } = this.slots.get(slot)!;
    const keys = keysOf(title);
    // The number of the page alone.
    if (keys.length === 0) return true;
    const isTogether = keys.some((key) => titles.isTogether(key));
    if (!this.isHeadingElsewhere(namesOf(title), slot)) return isTogether && !title.hasValue;
    return isTogether || (!title.hasValue && keys.every((key) => titles.get(key) < 2));
  }

  /** Whether the number before the words of a line counts the pages. */
  isCounted({ slot, title }: EdgeLine): boolean {
    return title?.countedKey !== undefined && this.slots.get(slot)?.titles.isTogether(title.countedKey) === true;
  }

  private isRunning(slot: string): boolean {
    const known = this.known.get(slot) ?? this.isOfChapters(slot);
    this.known.set(slot, known);
    return known;
  }

  private isOfChapters(slot: string): boolean {
    const known = this.slots.get(slot);
    if (known === undefined) return false;
    const { pages, titles, names } = known;
    const [left, right] = pages;
    const filled = left + right;
    if (filled < LEAST_SLOT_PAGES) return false;
    const isOnMost =
      filled >= (this.sides[0] + this.sides[1]) * LEAST_SHARE ||
      pages.some((count, side) => count >= LEAST_SLOT_PAGES && count >= this.sides[side]! * LEAST_SHARE);
    if (!isOnMost) return false;
    let again = 0;
    for (const [key, count] of titles.counts()) {
      if (titles.isTogether(key) || this.isHeadingElsewhere(names.get(key) ?? [], slot)) again += count;
    }
    return again >= filled * LEAST_SLOT_SHARE;
  }

  private isHeadingElsewhere(names: readonly string[], slot: string): boolean {
    return names.some((name) => {
      const place = this.headings.get(name);
      return place !== undefined && place !== slot;
    });
  }
}

function keysOf({ key, countedKey }: EdgeTitle): string[] {
  return [key, ...(countedKey === undefined ? [] : [countedKey])].filter((one) => one !== '');
}

/** As it is, without the number of the chapter, and without `Chapter` before that. */
function namesOf({ words, key }: EdgeTitle): string[] {
  const names = [key, titleKey(words), bare(words.replace(CHAPTER, '$1 '))];
  return [...new Set(names)].filter((name) => name !== '');
}
