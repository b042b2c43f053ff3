import type { LayoutBlock, ParsedPage, TextItem } from '@llamaindex/liteparse';
import { describe, expect, it } from 'vitest';
import { WordCounts } from '../../hyphens/word-counts.js';
import { withWholeWords } from './divided-words.js';
import { joinOf, withRest } from './page-breaks.js';

/** What each item says counts how often it was asked for its place. */
let asked = 0;

function item(text: string, x: number, y: number): TextItem {
  const place = {
    text,
    x,
    get y() {
      asked += 1;
      return y;
    },
    width: 40,
    height: 10,
  };
  return place;
}

const pageOf = (items: readonly TextItem[], blocks: readonly LayoutBlock[]): ParsedPage =>
  ({ pageNum: 1, width: 600, height: 800, text: '', textItems: items, blocks }) as unknown as ParsedPage;

const paragraph = (text: string): LayoutBlock => ({
  kind: 'paragraph',
  text,
  bbox: { x: 0, y: 0, width: 600, height: 800 },
});

const textsOf = ({ blocks = [] }: ParsedPage): (string | undefined)[] => blocks.map(({ text }) => text);

describe('words of a page that lines end within', () => {
  it('are not looked for within other words', () => {
    const items = [item('They went in-', 0, 100), item('side by pinside', 0, 120)];
    const words = new WordCounts();
    words.add('in-side');
    const page = withWholeWords(pageOf(items, [paragraph('A pinside or an inside door.')]), words);
    expect(textsOf(page)).toEqual(['A pinside or an in-side door.']);
  });

  it('are found beside words without end', () => {
    const long = 'x'.repeat(1_000_000);
    const items = [
      item(`${long} `, 0, 80),
      item(`${long}-`, 0, 90),
      item('a self-', 0, 100),
      item('made crane', 0, 120),
    ];
    const page = withWholeWords(pageOf(items, [paragraph('a selfmade crane')]), new WordCounts());
    expect(textsOf(page)).toEqual(['a self-made crane']);
    const last = paragraph(`it is of the ${long}-`);
    const join = joinOf(last, paragraph('ment of it'));
    expect(withRest(last, join!, new WordCounts()).text).toBe(`it is of the ${long}ment`);
  });

  it('compare a cell with the items at its height alone', () => {
    const rows = Array.from({ length: 200 }, (_, row) => row);
    const items = rows.flatMap((row) => [
      item('of a har-', 0, row * 30),
      item('bour', 0, row * 30 + 12),
      item('1', 200, row * 30),
    ]);
    const cells = rows.map((row) => [
      { text: 'of a harbour', bbox: { x: 0, y: row * 30, width: 100, height: 10 } },
      { text: '1', bbox: { x: 200, y: row * 30, width: 100, height: 10 } },
    ]);
    const bbox = { x: 0, y: 0, width: 600, height: 6000 };
    const table = { kind: 'table', rows: cells, bbox } as unknown as LayoutBlock;
    asked = 0;
    withWholeWords(pageOf(items, [table]), new WordCounts());
    expect(asked).toBeLessThan(items.length * 100);
  });
});
