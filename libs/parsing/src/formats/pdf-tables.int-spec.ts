import { describe, expect, it } from 'vitest';
import { makePdf, type PdfPage } from '../testing/make-pdf.js';
import { parseBytes } from '../testing/parse-bytes.js';

/** A table: columns at these places, the first row at `y`, a line each 20 points; framed where that is said. */
function grid(rows: readonly (readonly string[])[], columns: readonly number[], y: number, isFramed = false): PdfPage {
  const placed = rows.flatMap((row, at) => row.map((text, column) => ({ text, x: columns[column]!, y: y + at * 20 })));
  const right = columns.at(-1)! + 60;
  const cell = (at: number, column: number) =>
    [columns[column]! - 4, y - 13 + at * 20, (columns[column + 1] ?? right) - columns[column]!, 20] as const;
  const frames = isFramed ? rows.flatMap((row, at) => row.map((_text, column) => cell(at, column))) : [];
  return { placed, frames };
}

/** Everything of several parts in the order in which a writer of tables draws: line by line. */
function page(...parts: readonly PdfPage[]): PdfPage {
  const placed = parts
    .flatMap((part) => part.placed ?? [])
    .toSorted((one, other) => one.y - other.y || one.x - other.x);
  return { placed, frames: parts.flatMap((part) => part.frames ?? []) };
}

const CITIES = [
  ['City', 'Opened', 'Seats'],
  ['Bergen', '1998', '120'],
  ['Oslo', '2004', '340'],
  ['Molde', '2011', '85'],
  ['Narvik', '2015', '60'],
];
const PARTS = [
  ['Part', 'Stock', 'Price'],
  ['Valve', '14', '3.20'],
  ['Seal kit', '220', '0.75'],
  ['Rotor', '7', '41.00'],
];
const line = (text: string, y: number): PdfPage => ({ placed: [{ text, x: 50, y }] });
const lines = (rows: readonly (readonly string[])[]): string =>
  `table: ${rows.map((row) => row.join(' | ')).join('\n')}`;

describe('tables of a .pdf', () => {
  it.each([
    ['with frames', true],
    ['without frames', false],
  ])('that are side by side are two, %s', async (_how, isFramed) => {
    const bytes = makePdf([
      page(
        line('The two lists below belong to different departments.', 90),
        grid(CITIES, [54, 124, 184], 130, isFramed),
        grid(PARTS, [330, 410, 470], 130, isFramed),
        line('Ask the office for later figures, they change every week.', 300),
      ),
    ]);
    const { outline, blocks, document } = await parseBytes(bytes, 'a.pdf');
    expect(outline.filter((one) => one.startsWith('table'))).toEqual([lines(CITIES), lines(PARTS)]);
    const [left, right] = blocks.filter(({ kind }) => kind === 'table');
    expect(left!.box![2]).toBeLessThan(right!.box![0]);
    expect(document.fidelity).toMatchObject({ tables: 2, table_rows: 9 });
  });

  it('that have a wide column in the middle stay one', async () => {
    const rows = [
      ['Region', 'Q1', 'Q2', 'Q3'],
      ['North', '12', '14', '11'],
      ['South', '8', '7', '9'],
      ['West', '22', '21', '25'],
    ];
    const { outline } = await parseBytes(makePdf([grid(rows, [54, 124, 330, 390], 130)]), 'a.pdf');
    expect(outline).toEqual([lines(rows)]);
  });

  it('of numbers is not said to have fonts without meaning', async () => {
    const rows = Array.from({ length: 34 }, (_, at) => at);
    const placed = rows.flatMap((at) => [
      { text: `${String((at % 28) + 1).padStart(2, '0')}.01.2025`, x: 60, y: 60 + at * 18 },
      { text: `R-${1000 + at}`, x: 160, y: 60 + at * 18 },
      { text: `${at * 13},${String(at).padStart(2, '0')}`, x: 260, y: 60 + at * 18 },
    ]);
    const { document, text } = await parseBytes(makePdf([{ placed }]), 'a.pdf');
    expect(text).toContain('R-1033');
    expect(document.warnings).toEqual([]);
  });
});
