import type { TextItem } from '@llamaindex/liteparse';
import { describe, expect, it } from 'vitest';
import { maybeVertical, readColumns } from './vertical-text.js';

const SIZE = 14;

interface SetColumn {
  x: number;
  y: number;
  text: string;
  size?: number;
  /** From one character to the next. */
  pitch?: number;
  /** Of a character, as the font says. */
  width?: number;
}

/** Columns as the reader of PDFs gives them: an item for every line across them, with a word for each character. */
function itemsOf(columns: readonly SetColumn[]): TextItem[] {
  const glyphs = columns.flatMap(({ x, y, text, size = SIZE, pitch = size, width = size }) =>
    [...text].map((character, at) => ({ text: character, x, y: y + at * pitch, width, height: size, size })),
  );
  const lines = Map.groupBy(glyphs, ({ y, size }) => `${y} ${size}`);
  return [...lines.values()].map((line) => {
    const words = line.toSorted((one, other) => one.x - other.x);
    const [first, last] = [words[0]!, words.at(-1)!];
    const width = last.x + last.width - first.x;
    const text = words.map((word) => word.text).join(' ');
    return { text, x: first.x, y: first.y, width, height: first.size, fontSize: first.size, words };
  });
}

const textsOf = (items: readonly TextItem[]): (string | undefined)[] => {
  const reading = readColumns(items);
  return reading.kind === 'read' ? reading.blocks.map(({ text }) => text) : [reading.kind];
};

describe('text in columns from top to bottom', () => {
  const columns: SetColumn[] = [
    { x: 520, y: 80, text: '山村の冬', size: 20 },
    { x: 480, y: 94, text: '雪は十二月から降り始め、谷' },
    { x: 454, y: 80, text: 'を白く埋める︒' },
    { x: 428, y: 94, text: '人々は炉端で縄をなう。' },
  ];

  it('is read from the right, column after column, with the usual marks', () => {
    const items = itemsOf(columns);
    expect(maybeVertical({ textItems: items })).toBe(true);
    expect(textsOf(items)).toEqual(['山村の冬', '雪は十二月から降り始め、谷を白く埋める。', '人々は炉端で縄をなう。']);
  });

  it('is read when its characters are apart, as long as columns are further', () => {
    const apart = columns.slice(1).map((column) => ({ ...column, y: 80, pitch: 22 }));
    expect(textsOf(itemsOf(apart))).toEqual(['雪は十二月から降り始め、谷を白く埋める。人々は炉端で縄をなう。']);
  });

  it('is read tier by tier', () => {
    const tiers: SetColumn[] = [
      { x: 480, y: 80, text: '上の段の初めの列であり' },
      { x: 454, y: 80, text: 'ここで終わる。' },
      { x: 480, y: 400, text: '下の段はその後に読む。' },
    ];
    expect(textsOf(itemsOf(tiers))).toEqual(['上の段の初めの列でありここで終わる。', '下の段はその後に読む。']);
  });

  it('keeps what is in lines on its page, and short numbers in a column', () => {
    const line = { text: 'Page 3', x: 280, y: 800, width: 30, height: 10, fontSize: 9, words: [] };
    const number = { text: '12', x: 480, y: 94 + 13 * 14, width: 12, height: 14 };
    const items = [...itemsOf(columns), { ...number, fontSize: SIZE, words: [number] }, line];
    expect(textsOf(items)).toEqual([
      '山村の冬',
      '雪は十二月から降り始め、谷12を白く埋める。',
      '人々は炉端で縄をなう。',
      'Page 3',
    ]);
  });

  it('is not read where characters were measured by another font: others are lost', () => {
    expect(textsOf(itemsOf(columns.map((column) => ({ ...column, width: 28 }))))).toEqual(['lost']);
  });

  it('is not seen in lines, however wide they are set', () => {
    const lines = columns.map(({ text }, at) => ({ text, y: 80 + at * 24 }));
    const single = lines.map(({ text, y }): TextItem => {
      const words = [...text].map((one, at) => ({ text: one, x: 60 + at * 18, y, width: SIZE, height: SIZE }));
      return { text: [...text].join(' '), x: 60, y, width: words.length * 18, height: SIZE, fontSize: SIZE, words };
    });
    expect(textsOf(single)).toEqual(['horizontal']);
    const plain = lines.map(({ text, y }) => ({
      text,
      x: 60,
      y,
      width: text.length * SIZE,
      height: SIZE,
      fontSize: SIZE,
    }));
    expect(maybeVertical({ textItems: plain })).toBe(false);
  });
});
