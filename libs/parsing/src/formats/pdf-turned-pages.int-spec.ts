import { describe, expect, it } from 'vitest';
import { makePdf, type PdfPage, type PlacedText } from '../testing/make-pdf.js';
import { parseBytes } from '../testing/parse-bytes.js';

const SENTENCES = ['The crane at pier seven was moved on Monday morning', 'because its foundation had to be renewed.'];
const ROWS = [
  ['Item', 'Price', 'Stock'],
  ['Bolt', '1.20', '400'],
  ['Washer', '0.10', '1200'],
];
const TEXT = `${SENTENCES.join(' ')}\n\n${ROWS.map((row) => row.join(' | ')).join('\n')}`;
const WIDTH = 595;
const HEIGHT = 842;

/** Two lines and a table; `at` says where the place of an upright page is on this one. */
function placed(at: (x: number, y: number) => Omit<PlacedText, 'text'>): PlacedText[] {
  const lines = SENTENCES.map((text, line) => ({ text, ...at(72, 100 + line * 14) }));
  const cells = ROWS.flatMap((row, line) =>
    row.map((text, column) => ({ text, ...at(72 + column * 120, 200 + line * 16) })),
  );
  return [...lines, ...cells];
}

const upright = (x: number, y: number): Omit<PlacedText, 'text'> => ({ x, y });

describe('a page of a .pdf whose text stands sideways', () => {
  it.each([
    [90, (x: number, y: number) => [HEIGHT - y, x]],
    [180, (x: number, y: number) => [WIDTH - x, HEIGHT - y]],
    [270, (x: number, y: number) => [y, WIDTH - x]],
  ] as const)('is read line by line when its view is turned by %i degrees', async (turned, shown) => {
    const { text, blocks } = await parseBytes(makePdf([{ placed: placed(upright), turned }]), 'a.pdf');
    expect(text.trim()).toBe(TEXT);
    // A little right of its beginning and above its base line, where a reader of the view sees it.
    const [x, y] = shown(76, 97) as [number, number];
    const [left, top, right, bottom] = blocks[0]!.box!;
    expect([left < x, x < right, top < y, y < bottom]).toEqual([true, true, true, true]);
  });

  it('is read line by line when its text is written upwards, with a number that is not', async () => {
    const sideways = placed((x, y) => ({ x: y, y: HEIGHT - x, isUpward: true }));
    const page: PdfPage = { placed: [...sideways, { text: '17', x: 300, y: 820 }] };
    const { text, document } = await parseBytes(makePdf([{ lines: ['Upright words'] }, page]), 'a.pdf');
    const [sentences, rows] = TEXT.split('\n\n');
    expect(text.split('\n\n').map((part) => part.trim())).toEqual(['Upright words', sentences, '17', rows]);
    expect(document.warnings).toEqual([]);
  });

  it('keeps words beside upright text, once, and the tables of their page', async () => {
    const beside: PlacedText = { text: 'Draft of the spring', x: 20, y: 500, isUpward: true };
    const page = { placed: [...placed(upright), beside] };
    const { outline } = await parseBytes(makePdf([page, page]), 'a.pdf');
    const [sentences, rows] = TEXT.split('\n\n');
    const said = [`paragraph: ${sentences}`, 'paragraph: Draft of the spring', `table: ${rows}`];
    expect(outline.slice(0, 3)).toEqual(said);
    expect(outline.join('\n').split('Draft of the spring')).toHaveLength(2);
  });
});
