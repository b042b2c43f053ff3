import { describe, expect, it } from 'vitest';
import { makePdf, type PdfPage, type PlacedText } from '../testing/make-pdf.js';
import { parseBytes } from '../testing/parse-bytes.js';

type Rows = readonly (readonly string[])[];

const HOURS = [
  ['Period', 'Morning', 'Afternoon'],
  ['25 April - 13 June', '8:00-12:00', '15:00-18:00'],
  ['14 June - 7 September', '8:00-20:00 (no break)', ''],
  ['8 September - 5 October', '8:00-12:00', '15:00-18:00'],
];
const HOUSES = [
  ['Building', 'What you find there', 'Open'],
  ['Block A', 'Showers, toilets, dishwashing', '24 hours, all season'],
  ['Block B', 'Family bathroom, laundry room, dog shower', '24 hours, all season'],
  ['Block C', 'Step-free rooms, wheelchair shower', '1 June - 15 September'],
  ['Boathouse', 'Boat and bike hire, barbecue area', 'see hire conditions'],
];
const DOCTORS = [
  ['Service', 'Address', 'Phone'],
  ['Dr. Anna Kolar, dentist', 'Main street 3, Oberau', '+43 1 555 80'],
  ['Linden pharmacy', 'Main street 7, Oberau', '+43 1 555 84'],
  ['Dr. Max Sander, vet', 'Mill lane 2, Unterau', '+43 1 555 91'],
];
/** Left edges of the columns, and the right one of the table. */
const PLACES: ReadonlyMap<Rows, readonly number[]> = new Map([
  [HOURS, [78, 202, 313, 380]],
  [HOUSES, [78, 149, 357, 473]],
  [DOCTORS, [78, 253, 393, 480]],
]);
const ROW = 18;

/** The cells of a table as a writer of reports places them, row by row, each six points from its rule. */
function cellsOf(rows: Rows, y: number): PlacedText[] {
  const edges = PLACES.get(rows)!;
  return rows.flatMap((row, at) =>
    row.flatMap((text, column) => (text === '' ? [] : { text, x: edges[column]! + 6, y: y + 13 + at * ROW })),
  );
}

/** One line around all and one between any two rows and columns. */
function gridOf(rows: Rows, y: number): NonNullable<PdfPage['frames']> {
  const edges = PLACES.get(rows)!;
  const [left, width, height] = [edges[0]!, edges.at(-1)! - edges[0]!, rows.length * ROW];
  const level = Array.from({ length: rows.length + 1 }, (_, at) => [left, y + at * ROW, width, 0] as const);
  return [...level, ...edges.map((x) => [x, y, 0, height] as const)];
}

const text = (words: string, y: number, size = 10, x = 78): PlacedText => ({ text: words, x, y, size });
const TITLE = text('Guide for guests of the lake', 70, 18, 190);
const ABOVE = [
  text('Welcome to the lake! This guide tells you how things work here, and the season runs from spring to', 110),
  text('autumn. Outside this period the site is closed to overnight guests.', 122),
];
const below = (y: number): PlacedText[] => [
  text('Pitches are ready from the early afternoon and must be vacated in the morning. Cabins are ready later', y),
  text('in the afternoon, and please return their keys to the box next to the reception door.', y + 12),
];
const lines = (rows: Rows): string => `table: ${rows.map((row) => row.join(' | ')).join('\n')}`;
const kindsOf = (outline: readonly string[]): string[] => outline.map((block) => block.slice(0, block.indexOf(':')));

/** A page with a table below a heading, between paragraphs. */
function pageWith(rows: Rows, frames: PdfPage['frames']): PdfPage {
  const end = 170 + rows.length * ROW;
  return {
    placed: [TITLE, ...ABOVE, text('Good to know', 158, 14), ...cellsOf(rows, 170), ...below(end + 30)],
    frames,
  };
}

describe('tables of a .pdf whose columns look like columns of the page', () => {
  it.each([
    ['of hours', HOURS],
    ['of houses', HOUSES],
    ['of doctors', DOCTORS],
  ])('%s keep their cells between rules', async (_what, rows) => {
    const { outline, document } = await parseBytes(makePdf([pageWith(rows, gridOf(rows, 170))]), 'a.pdf');
    expect(kindsOf(outline)).toEqual(['heading', 'paragraph', 'heading', 'table', 'paragraph']);
    expect(outline[3]).toBe(lines(rows));
    expect(document.fidelity).toMatchObject({ tables: 1, table_rows: rows.length });
    expect(document.warnings).toEqual([]);
  });

  it.each([
    ['of hours', HOURS],
    ['of doctors', DOCTORS],
  ])('%s keep their cells over rules between rows alone', async (_what, rows) => {
    const level = gridOf(rows, 170).filter(([, y, , height]) => height === 0 && y > 170);
    const { outline, document } = await parseBytes(makePdf([pageWith(rows, level)]), 'a.pdf');
    expect(outline.filter((block) => block.startsWith('table'))).toEqual([lines(rows)]);
    expect(outline[0]).toBe(`heading: ${TITLE.text}`);
    expect(document.warnings).toEqual([]);
  });

  it('keep cells of several lines without rules', async () => {
    const cells: PlacedText[] = [
      text('Building', 183, 10, 84),
      text('What is in it', 183, 10, 154),
      text('Open', 183, 10, 384),
      text('Block A', 213, 10, 84),
      text('Showers, toilets, places for washing dishes and a', 201, 10, 154),
      text('room for babies that has a heating', 213, 10, 154),
      text('24 hours', 213, 10, 384),
      text('Block B', 243, 10, 84),
      text('Family bathroom, laundry room with three', 231, 10, 154),
      text('machines and a shower for dogs behind it', 243, 10, 154),
      text('24 hours', 243, 10, 384),
      text('Boathouse', 261, 10, 84),
      text('Hire of boats and bikes, barbecue area', 261, 10, 154),
      text('see the notice at its door', 261, 10, 384),
    ];
    const placed = [TITLE, ...ABOVE, text('Good to know', 158, 14), ...cells, ...below(300)];
    const { outline, document } = await parseBytes(makePdf([{ placed, frames: [[78, 188, 420, 0]] }]), 'a.pdf');
    expect(outline.filter((block) => block.startsWith('table'))).toEqual([
      lines([
        ['Building', 'What is in it', 'Open'],
        ['Block A', 'Showers, toilets, places for washing dishes and a room for babies that has a heating', '24 hours'],
        ['Block B', 'Family bathroom, laundry room with three machines and a shower for dogs behind it', '24 hours'],
        ['Boathouse', 'Hire of boats and bikes, barbecue area', 'see the notice at its door'],
      ]),
    ]);
    expect(document.warnings).toEqual([]);
  });

  it('have no heading for a row that stands right above them in larger type', async () => {
    const placed = [TITLE, ...ABOVE, text('A heading of this part', 158, 14), ...cellsOf(HOURS, 166)];
    const { outline } = await parseBytes(makePdf([{ placed }]), 'a.pdf');
    expect(outline.slice(-2)).toEqual(['heading: A heading of this part', lines(HOURS)]);
  });

  it('are none where two columns of text stand beside each other', async () => {
    const left = Array.from({ length: 12 }, (_, at) =>
      text(`The ${at}. line of the left column is not short`, 160 + at * 14),
    );
    const right = left.map(({ y }, at) => text(`The ${at}. line of the right column is as long`, y, 10, 320));
    const { outline, document } = await parseBytes(makePdf([{ placed: [TITLE, ...left, ...right] }]), 'a.pdf');
    expect(kindsOf(outline)).not.toContain('table');
    expect(document.warnings).toEqual([]);
  });
});
