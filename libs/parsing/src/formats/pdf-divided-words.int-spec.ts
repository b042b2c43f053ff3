import { describe, expect, it } from 'vitest';
import { makePdf, type PlacedText } from '../testing/make-pdf.js';
import { parseBytes } from '../testing/parse-bytes.js';

const column = (x: number, y: number, ...texts: readonly string[]): PlacedText[] =>
  texts.map((text, line) => ({ x, y: y + line * 15, text, size: 11 }));
const textOf = async (...pages: readonly PlacedText[][]): Promise<string> =>
  (await parseBytes(makePdf(pages.map((placed) => ({ placed }))), 'a.pdf')).text.replace(/\s+/g, ' ');

describe('a word of a .pdf that a line ends within', () => {
  it('keeps a hyphen of its own and loses that of the line', async () => {
    const text = await textOf(
      column(
        60,
        100,
        'The board is well-',
        'known for its patience, and the docu-',
        'ment of the year was a report about the Nord-',
        'Süd-Achse and the Nord-',
        'und Südbahn. A state-of-the-',
        'art crane stood on the Wasser-',
        'strasse, and an X-',
        'ray of the pre-',
        'war harbour was on pages 12-',
        '14, by the way. Nobody had seen a pre-war picture.',
      ),
    );
    expect(text).toBe(
      'The board is well-known for its patience, and the document of the year was a report about the Nord-Süd-Achse and the Nord- und Südbahn. ' +
        'A state-of-the-art crane stood on the Wasserstrasse, and an X-ray of the pre-war harbour was on pages 12-14, by the way. Nobody had seen a pre-war picture.',
    );
  });

  it('is told in each column of its own', async () => {
    const left = column(
      60,
      100,
      'This column is about a self-',
      'made crane of the board, the',
      'docu-',
      'ment says more of it here.',
    );
    const right = column(
      330,
      100,
      'That one is about the long-',
      'term losses of all ferries in',
      'the har-',
      'bour, as nobody had expected.',
    );
    const text = await textOf([...left, ...right]);
    for (const words of ['a self-made crane', 'the document says', 'the long-term losses', 'the harbour, as'])
      expect(text).toContain(words);
  });

  it('is whole where it goes on upon the next page', async () => {
    const text = await textOf(
      column(60, 100, 'The plan of the harbour office was a long-'),
      column(60, 100, 'term one, and it said nothing of the Nord-'),
      column(60, 100, 'Süd-Achse that was built later, nor of the docu-'),
      column(60, 100, 'ment of the board.'),
    );
    expect(text).toBe(
      'The plan of the harbour office was a long-term one, and it said nothing of the Nord-Süd-Achse that was built later, nor of the document of the board.',
    );
  });
});
