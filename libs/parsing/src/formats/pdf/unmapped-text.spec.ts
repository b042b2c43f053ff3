import type { ParsedPage, TextItem } from '@llamaindex/liteparse';
import { describe, expect, it } from 'vitest';
import { losesCharacters, withoutUnmapped } from './unmapped-text.js';

const GARBAGE = '7KH\u0003SDVVZRUG\u0003RI\u0003WKH\u0003FRQWUROOHU\u0011';
const item = (text: string, font?: string): TextItem => ({
  text,
  x: 60,
  y: 60,
  width: 200,
  height: 12,
  ...(font !== undefined && { fontName: font, fontIsBuggy: true }),
});

function page(...items: readonly TextItem[]): ParsedPage {
  const blocks = items.map(({ text }) => ({ kind: 'paragraph' as const, text }));
  return {
    pageNum: 1,
    width: 595,
    height: 842,
    text: items.map(({ text }) => text).join('\n'),
    markdown: '',
    textItems: [...items],
    blocks,
  };
}

const textsOf = (items: readonly TextItem[]): (string | undefined)[] =>
  withoutUnmapped(page(...items)).page.blocks!.map(({ text }) => text);

describe('characters without a meaning', () => {
  it('are left out one by one', () => {
    const items = [item('Seal \ue012kit \ufffd77', 'Dingbats'), item('Order it')];
    const read = withoutUnmapped(page(...items));
    expect(textsOf(items)).toEqual(['Seal kit 77', 'Order it']);
    expect(read.page.text).toBe('Seal kit 77\nOrder it');
    expect(read.drawn - read.kept).toBe(2);
  });

  it('are all that a font says whose blanks are controls', () => {
    expect(textsOf([item('The seal kit'), item(GARBAGE, 'F17'), item('FRYHU', 'F17')])).toEqual([
      'The seal kit',
      '',
      '',
    ]);
  });

  it('do not cost the words of a font with a stray one', () => {
    expect(textsOf([item('It runs e\u000bciently and quietly all day', 'F17')])).toEqual([
      'It runs eciently and quietly all day',
    ]);
    expect(textsOf([item('The boiler', 'F17')])).toEqual(['The boiler']);
  });

  it('are told where they are more than a tenth of a page', () => {
    const lost = (text: string): boolean => losesCharacters(withoutUnmapped(page(item(text))));
    expect(lost(`${'word '.repeat(10)}${'\ue012'.repeat(6)}`)).toBe(true);
    expect(lost(`${'word '.repeat(10)}${'\ufffd'.repeat(3)}`)).toBe(false);
    expect(lost('all of it')).toBe(false);
  });
});
