import { describe, expect, it } from 'vitest';
import { pageNumberOf } from './page-number.js';

describe('numbers of pages', () => {
  it.each([
    ['7', '', 7, 'bare', 'alone'],
    ['- 12 -', '', 12, 'named', 'alone'],
    ['xiv', '', 14, 'bare', 'alone'],
    ['Seite 4 von 9', '', 4, 'named', 'alone'],
    ['Hoja 2/3', '', 2, 'named', 'alone'],
    ['第 3 页', '', 3, 'named', 'alone'],
    ['Annual report 2025 | 17', 'Annual report 2025', 17, 'bare', 'behind'],
    ['Confidential  Page 3', 'Confidential', 3, 'named', 'behind'],
    ['8 · Harbour office', 'Harbour office', 8, 'bare', 'before'],
    ['8 Harbour office', 'Harbour office', 8, 'loose', 'before'],
    ['Annual report 2025 17', 'Annual report 2025', 17, 'loose', 'behind'],
  ] as const)('may be in %j', (text, words, number, kind, place) => {
    expect(pageNumberOf(text)).toEqual({ words, number, kind, place });
  });

  it.each(['Invoice No. 17', 'Order: 17', 'The mill'])('are not in %j', (text) => {
    expect(pageNumberOf(text)).toBeUndefined();
  });
});
