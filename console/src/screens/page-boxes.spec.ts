import { describe, expect, it } from 'vitest';
import { boxesOf, type PagePiece } from './page-boxes.js';

const piece = (str: string, x: number, y: number, width = str.length * 10): PagePiece => ({
  str,
  transform: [12, 0, 0, 12, x, y],
  width,
  height: 12,
});

describe('boxes of a text on a page', () => {
  const PAGE = [
    piece('14.2 Either party may', 50, 700),
    piece('end this agree-', 50, 680),
    piece('ment by notice.', 50, 660),
  ];

  it('are found over broken and hyphenated lines', () => {
    const boxes = boxesOf(PAGE, 'Either party may end this agreement by notice');
    expect(boxes.map(({ x, width }) => [x, Math.round(width)])).toEqual([
      [100, 160],
      [50, 140],
      [50, 140],
    ]);
    expect(boxes.map(({ y }) => Math.round(y))).toEqual([697, 677, 657]);
  });

  it('are none where the page says something else, or nothing is asked for', () => {
    expect(boxesOf(PAGE, 'Either party must')).toEqual([]);
    expect(boxesOf(PAGE, ' – ')).toEqual([]);
    expect(boxesOf([], 'Either')).toEqual([]);
  });
});
