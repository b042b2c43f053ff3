import type { ParsedPage, TextItem } from '@llamaindex/liteparse';
import { describe, expect, it } from 'vitest';
import { inReadingOrder, wordsInReadingOrder } from './right-to-left.js';

/** Words as they are drawn from the left to the right. */
const drawn = (...texts: string[]): { text: string; x: number }[] =>
  texts.map((text, at) => ({ text, x: 60 + at * 40 }));

const itemOf = (y: number, ...texts: string[]): TextItem => {
  const words = drawn(...texts).map((word) => ({ ...word, y, width: 30, height: 10 }));
  return { text: texts.join(' '), x: 60, y, width: texts.length * 40, height: 10, words };
};

describe('the words of a line that is read from the right', () => {
  it.each([
    ['words alone', ['אורן', 'חברת', 'לכבוד'], 'לכבוד חברת אורן'],
    ['a number at the end', ['1047', 'מספר', 'חשבונית'], 'חשבונית מספר 1047'],
    ['Latin words within', ['שלום', 'Tel', 'Aviv', 'Office', 'אורן', 'חברת'], 'חברת אורן Tel Aviv Office שלום'],
    ['Latin words with a number', ['מחיר', 'Windows', '11', 'Pro', 'תוכנה'], 'תוכנה Windows 11 Pro מחיר'],
    ['Arabic', ['القاهرة', 'مدينة', 'في'], 'في مدينة القاهرة'],
    ['a Latin line with words of it', ['Company', 'אורן', 'חברת', 'in', 'Haifa'], 'Company חברת אורן in Haifa'],
    ['a Latin line', ['Tel', 'Aviv', '12'], 'Tel Aviv 12'],
  ])('are in the order of reading: %s', (_, texts, expected) => {
    expect(wordsInReadingOrder(drawn(...texts)).join(' ')).toBe(expected);
  });

  it('go the way of their page where as many go the one way as the other', () => {
    const words = drawn('Name', 'of', 'אורן', 'חברת');
    expect(wordsInReadingOrder(words, false).join(' ')).toBe('Name of חברת אורן');
    expect(wordsInReadingOrder(words, true).join(' ')).toBe('חברת אורן Name of');
  });

  it('stay as they are where they are given from the right already', () => {
    const words = drawn('אורן', 'חברת', 'לכבוד').toReversed();
    expect(wordsInReadingOrder(words)).toEqual(['לכבוד', 'חברת', 'אורן']);
  });

  it('are so in paragraphs of several lines, in cells and in the text of the page', async () => {
    const items = [itemOf(60, 'אורן', 'חברת', 'לכבוד'), itemOf(80, 'אורן', 'חברת'), itemOf(100, 'Tel', 'Aviv')];
    const page = {
      pageNum: 1,
      text: 'אורן חברת לכבוד\nאורן חברת\nTel Aviv',
      textItems: items,
      blocks: [
        { kind: 'paragraph', text: 'אורן חברת לכבוד אורן חברת' },
        { kind: 'table', rows: [[{ text: 'אורן חברת' }, { text: 'Tel Aviv' }]] },
      ],
    } as unknown as ParsedPage;
    const read = await inReadingOrder(page, async () => items);
    expect(read.text).toBe('לכבוד חברת אורן\nחברת אורן\nTel Aviv');
    expect(read.blocks?.[0]?.text).toBe('לכבוד חברת אורן חברת אורן');
    expect(read.blocks?.[1]?.rows).toEqual([[{ text: 'חברת אורן' }, { text: 'Tel Aviv' }]]);
    expect(read.textItems.map(({ text }) => text)).toEqual(['לכבוד חברת אורן', 'חברת אורן', 'Tel Aviv']);
    const plain = { ...page, text: 'Tel Aviv' };
    expect(await inReadingOrder(plain, () => Promise.reject(new Error('not asked for')))).toBe(plain);
  });
});
