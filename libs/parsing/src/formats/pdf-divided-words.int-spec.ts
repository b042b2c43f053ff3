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

  it('is whole in the cell of a table', async () => {
    const row = (y: number, ...cells: readonly string[]): PlacedText[] =>
      cells.map((text, at) => ({ text, x: [60, 200, 330][at]!, y }));
    const placed = [
      ...row(120, 'Kind of cost', 'Plan', 'Real'),
      ...row(140, 'Amorti-', '1,200.00', '1,150.00'),
      ...row(152, 'sation'),
      ...row(175, 'Long-', '300.00', '280.00'),
      ...row(187, 'term plan'),
      ...row(210, 'Total', '1,500.00', '1,430.00'),
    ];
    const frames = [107, 127, 162, 197].map((y, at): [number, number, number, number] => [
      56,
      y,
      360,
      [20, 35, 35, 20][at]!,
    ]);
    const { outline } = await parseBytes(makePdf([{ placed, frames }]), 'a.pdf');
    expect(outline.join('\n')).toContain('Amortisation | 1,200.00 | 1,150.00\nLong-term plan | 300.00 | 280.00');
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
