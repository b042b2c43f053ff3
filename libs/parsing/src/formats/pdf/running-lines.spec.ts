import type { ParsedPage } from '@llamaindex/liteparse';
import { describe, expect, it, vi } from 'vitest';
import { RunningLines } from './running-lines.js';
import { PageOccurrences } from './page-occurrences.js';

const place = (text: string, y: number, fontSize = 10) => ({ text, x: 60, y, width: 100, height: fontSize, fontSize });

/** A page with a line at the top, or a heading that says the same below. */
function page(pageNum: number, words: string, isHeading = false): ParsedPage {
  const textItems = [
    isHeading ? place(words, 200, 18) : place(words, 40),
    place('The body of the page is of words enough to be the text of it.', 300),
  ];
  const bbox = { x: 60, y: 200, width: 100, height: 18 };
  const blocks = isHeading ? [{ kind: 'heading', text: words, bbox }] : [];
  return { pageNum, width: 600, height: 800, text: '', textItems, blocks } as unknown as ParsedPage;
}

const runningOf = (pages: readonly ParsedPage[]): string[][] => {
  const lines = new RunningLines(3);
  lines.look(pages);
  return pages.map((one) => lines.of(one).map(({ words }) => words));
};

describe('RunningLines', () => {
  const names = ['Jane Doe', 'John Roe', 'Ann Poe'];

  it('takes no name that comes back for the head of a chapter, though a heading says it', () => {
    const pages = Array.from({ length: 12 }, (_, at) => page(at + 1, names[at % 3]!, at < 3));
    expect(runningOf(pages).flat()).toEqual([]);
  });

  it('takes the name of a chapter that a heading says, also on one page', () => {
    const heads = ['Sea', 'Sea', 'Sea', 'Sea', 'Sky', 'Sky', 'Ice', 'Ice', 'Ice', 'Ice'];
    const pages = heads.map((head, at) => page(at + 1, head, heads.indexOf(head) === at));
    expect(runningOf(pages).flat()).toEqual(['Sea', 'Sea', 'Sea', 'Sky', 'Ice', 'Ice', 'Ice']);
  });

  it('takes the number of a page that is where chapters have their names', () => {
    const pages = ['i', 'Sea | 2', 'Sea | 3', 'Sky | 4', 'Sky | 5', 'Sky | 6'].map((head, at) => page(at + 1, head));
    expect(runningOf(pages)).toEqual([[''], ['Sea'], ['Sea'], ['Sky'], ['Sky'], ['Sky']]);
  });

  it('goes through what is said at one height once, however many pages say something there', () => {
    const counts = vi.spyOn(PageOccurrences.prototype, 'counts');
    const pages = Array.from({ length: 40 }, (_, at) => page(at + 1, `Name ${'ab'.repeat(at + 1)}`));
    runningOf(pages);
    expect(counts).toHaveBeenCalledTimes(1);
    counts.mockRestore();
  });
});
