import type { LayoutBlock, ParsedPage } from '@llamaindex/liteparse';
import type { WordCounts } from '../../hyphens/word-counts.js';
import { leaveOut, leaveOutLines, type EdgeText } from './leave-out.js';
import { joinOf, withRest, withoutRest, type SentenceJoin } from './page-breaks.js';
import { bare, titleKey } from './page-text.js';
import { RunningLines, type RunningLine } from './running-lines.js';

/** What a page says, apart from what is printed on page after page. */
export interface PageBody {
  readonly blocks: readonly LayoutBlock[];
  /** Its lines as they lie on it. */
  readonly text: string;
  /** Is between the sentence that the page before leaves open and the first words of this one. */
  readonly gap?: SentenceJoin['gap'];
}

/** Blocks that say nothing. */
const SILENT: ReadonlySet<string> = new Set(['rule', 'figure']);

/** `Chapter 3:` before its name. */
const CHAPTER_NUMBER = /^\p{L}*\.?\s*(?<number>\p{N}{1,3})[.:]?$/u;

/** Pages that a line must be on, and where the policy wants such lines to go. */
const LEAST_PAGES = 3;
const LEAST_PAGES_IF_WANTED = 2;

/**
 * Takes running lines from the pages of a document, in order. Each stays once, without the number of its page, where it interrupts nothing; sentences
 * go on over the end of a page.
 */
export class PageBodies {
  /** Running lines that were left out. */
  leftOutLines = 0;
  private readonly running: RunningLines;
  private readonly keepsOnce: boolean;
  /** Running lines that are in the text. */
  private readonly kept = new Set<string>();
  /** Those that are not yet, as they are on the page. */
  private readonly waiting = new Map<string, string>();
  private join: SentenceJoin | undefined;
  private isOpenAbove = false;

  private readonly words: WordCounts;

  /** `words`: those of the document, which tell how a word is written that goes on upon the next page. */
  constructor(keepsOnce: boolean, words: WordCounts) {
    this.keepsOnce = keepsOnce;
    this.words = words;
    this.running = new RunningLines(keepsOnce ? LEAST_PAGES : LEAST_PAGES_IF_WANTED);
  }

  /** Takes pages before `of` is asked about them. */
  look(pages: readonly ParsedPage[]): void {
    this.running.look(pages);
  }

  /** The next page; `next` is the one behind it. */
  of(page: ParsedPage, next: ParsedPage | undefined): PageBody {
    const lines = this.running.of(page);
    const all = leaveOut(page.blocks ?? [], lines);
    // What a heading says is in the text already.
    for (const { kind, text = '' } of all) {
      if (kind !== 'heading') continue;
      this.keep(text);
      if (titleKey(text) !== '') this.kept.add(titleKey(text));
    }
    const follows = next?.pageNum === page.pageNum + 1;
    const below = !follows ? [] : leaveOut(next.blocks ?? [], this.running.of(next));
    const [last, first] = [all.findLast(speaks), below.find(speaks)];
    const join = joinOf(last, first);
    const isOpenBelow = join !== undefined || (last?.kind === 'table' && first?.kind === 'table');
    const left = lines.flatMap((line) => this.leftOut(line, isOpenBelow));
    const blocks = this.joined(withoutHeadings(leaveOut(page.blocks ?? [], left), lines), join);
    const gap = this.join?.gap;
    this.join = join;
    this.isOpenAbove = isOpenBelow;
    return {
      blocks: next === undefined ? [...blocks, ...this.rest()] : blocks,
      text: leaveOutLines(page.text, left),
      ...(gap !== undefined && { gap }),
    };
  }

  /** What is left out of a running line: all of it, or the number of the page alone. */
  private leftOut(line: RunningLine, isOpenBelow: boolean): EdgeText[] {
    const { edge, y, parts, own, number, words } = line;
    const key = bare(words);
    const isOpen = edge === 'top' ? this.isOpenAbove : isOpenBelow;
    const filled = own.filter((part) => part !== '');
    const said = filled.filter((part) => this.isSaid(part, filled));
    if (key !== '' && this.keepsOnce && !this.kept.has(key) && said.length < filled.length) {
      if (isOpen) this.waiting.set(key, words);
      else {
        for (const part of [words, ...filled]) this.keep(part);
        this.waiting.delete(key);
        const without = number === '' ? said : [number, ...said];
        return without.length === 0 ? [] : [{ y, parts: without }];
      }
    }
    this.leftOutLines += 1;
    return [{ y, parts }];
  }

  /** Whether the text has a part of a line, or it is the number of a chapter whose heading the text has. */
  private isSaid(part: string, parts: readonly string[]): boolean {
    if (this.kept.has(bare(part))) return true;
    const number = CHAPTER_NUMBER.exec(part)?.groups?.number;
    return number !== undefined && parts.some((other) => other !== part && this.kept.has(bare(`${number} ${other}`)));
  }

  private keep(words: string): void {
    const key = bare(words);
    if (key !== '') this.kept.add(key);
  }

  /** With the rest of a word that the page before has, and that the next one gives. */
  private joined(blocks: readonly LayoutBlock[], join: SentenceJoin | undefined): LayoutBlock[] {
    const all = [...blocks];
    const first = all.findIndex(speaks);
    if (this.join !== undefined && first >= 0) all[first] = withoutRest(all[first]!, this.join);
    const last = all.findLastIndex(speaks);
    if (join !== undefined && last >= 0) all[last] = withRest(all[last]!, join, this.words);
    return all;
  }

  /** Running lines that interrupted something on each of their pages. */
  private rest(): LayoutBlock[] {
    return [...this.waiting.values()].map((text) => ({ kind: 'paragraph', text }));
  }
}

function speaks({ kind, text, lines }: LayoutBlock): boolean {
  return !SILENT.has(kind) && (kind === 'table' || (text ?? '') !== '' || (lines ?? []).length > 0);
}

/** Running lines that stay are no headings. */
function withoutHeadings(blocks: readonly LayoutBlock[], lines: readonly RunningLine[]): LayoutBlock[] {
  return blocks.map((block) => {
    const { kind, bbox } = block;
    if (kind !== 'heading' || bbox === undefined) return block;
    const said = bare(block.text ?? '');
    const isLine = lines.some(
      ({ y, parts, words }) =>
        y >= bbox.y && y <= bbox.y + bbox.height && (said === bare(parts.join('')) || said === bare(words)),
    );
    return isLine ? { ...block, kind: 'paragraph' } : block;
  });
}
