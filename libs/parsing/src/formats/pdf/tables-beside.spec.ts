import { describe, expect, it } from 'vitest';
import { tablesOf } from './tables-beside.js';

const LEFT = ['City Opened Seats', 'Bergen 1998 120', 'Oslo 2004 340', 'Molde 2011 85', 'Narvik 2015 60'];
const RIGHT = ['Part Stock Price', 'Valve 14 3.20', 'Seal 220 0.75', 'Rotor 7 41.00'];
const cells = (rows: readonly string[]): string[][] => rows.map((row) => row.split(' '));

/** Rows beside each other; `columns` are left edges, each text is 30 points wide. */
function beside(left: string[][], right: string[][], columns: readonly number[], between: string[] = []) {
  const width = (rows: string[][]): string[] => rows[0]!.map(() => '');
  return Array.from({ length: Math.max(left.length, right.length) }, (_, at) =>
    [...(left[at] ?? width(left)), ...between, ...(right[at] ?? width(right))].map((text, column) => ({
      text,
      ...(text !== '' && { bbox: { x: columns[column]!, y: at * 20, width: 30, height: 12 } }),
    })),
  );
}

const textsOf = (rows: Parameters<typeof tablesOf>[0]): string[][] =>
  tablesOf(rows).map((table) => table.rows.map((row) => row.map(({ text }) => text).join(' ')));

describe('a line of text above a table', () => {
  const table = (columns: readonly number[], above: { text: string; x: number; width: number }[]) => [
    columns.map((_, at) => {
      const cell = above[at];
      return cell === undefined || cell.text === ''
        ? { text: '' }
        : { text: cell.text, bbox: { x: cell.x, y: -20, width: cell.width, height: 12 } };
    }),
    ...beside(cells(LEFT), [[]], columns),
  ];
  const nothing = { text: '', x: 0, width: 0 };

  it('that was read as its first row is its lead', () => {
    const rows = table(
      [180, 250, 320],
      [nothing, { text: 'Counted in the second week of', x: 60, width: 255 }, { text: 'June.', x: 318, width: 30 }],
    );
    expect(tablesOf(rows)).toMatchObject([{ lead: 'Counted in the second week of June.' }]);
    expect(textsOf(rows)).toEqual([LEFT]);
  });

  it('is none where it stands in its columns, or names groups of them', () => {
    const own = [
      { text: 'Town', x: 180, width: 30 },
      { text: 'Year', x: 250, width: 30 },
      { text: 'Chairs', x: 320, width: 30 },
    ];
    const groups = [
      { text: 'Houses', x: 180, width: 60 },
      { text: 'Counted in 2024', x: 262, width: 90 },
    ];
    for (const above of [own, groups]) expect(textsOf(table([180, 250, 320], above))[0]).toHaveLength(6);
  });
});

describe('tables side by side on a page', () => {
  it('are two where an empty column parts them', () => {
    const rows = beside(cells(LEFT), cells(RIGHT), [50, 120, 180, 240, 300, 380, 440], ['']);
    expect(textsOf(rows)).toEqual([LEFT, RIGHT]);
  });

  it('are two where the space between them is the widest and one of them ends earlier', () => {
    expect(textsOf(beside(cells(LEFT), cells(RIGHT), [50, 120, 180, 330, 410, 470]))).toEqual([LEFT, RIGHT]);
  });

  it('are two where each has a title of its own', () => {
    const titled = [['Houses', '', ''], ...cells(LEFT.slice(0, 4))];
    const parts = [['Spares', '', ''], ...cells(RIGHT)];
    expect(textsOf(beside(titled, parts, [50, 120, 180, 330, 410, 470]))).toHaveLength(2);
  });

  it('are two where both begin with the same labels, and three when there are three', () => {
    const dishes = ['Dish Price', 'Soup 4.50', 'Salad 6.00', 'Pie 3.80'];
    const more = ['Dish Price', 'Tea 2.10', 'Milk 1.20', 'Juice 2.80'];
    expect(textsOf(beside(cells(dishes), cells(more), [50, 120, 180, 240]))).toEqual([dishes, more]);
    const both = cells(dishes).map((row, at) => [...row, '', ...cells(more)[at]!]);
    expect(textsOf(beside(both, cells(LEFT.slice(0, 4)), [50, 100, 140, 180, 230, 280, 320, 360, 400], ['']))).toEqual([
      dishes,
      more,
      LEFT.slice(0, 4),
    ]);
  });

  it('are two where the space between them is by far the widest and both end with amounts', () => {
    const cities = LEFT.slice(0, 4);
    expect(textsOf(beside(cells(cities), cells(RIGHT), [50, 120, 180, 330, 410, 470]))).toEqual([cities, RIGHT]);
  });

  it('are two where rows begin with years or labels are years', () => {
    const years = ['Year Catch', '2021 120', '2022 140', '2023 150', '2024 160'];
    const quarters = ['Quarter 2023 2024', 'Q1 120 12', 'Q2 140 13', 'Q3 150 14', 'Q4 160 15'];
    const columns = [50, 120, 180, 240, 300, 380];
    expect(textsOf(beside(cells(quarters), cells(years), columns, ['']))).toEqual([quarters, years]);
  });

  it('have no empty rows where the other one is set more closely', () => {
    const spread = [...cells(RIGHT.slice(0, 2)), ['', '', ''], ...cells(RIGHT.slice(2))];
    const rows = beside(cells(LEFT), spread, [50, 120, 180, 240, 300, 380, 440], ['']);
    expect(textsOf(rows)).toEqual([LEFT, RIGHT]);
  });

  it('tell the rectangle of each', () => {
    const [left, right] = tablesOf(beside(cells(LEFT), cells(RIGHT), [50, 120, 180, 240, 300, 380, 440], ['']));
    expect(left?.bbox).toEqual({ x: 50, y: 0, width: 160, height: 92 });
    expect(right?.bbox).toEqual({ x: 300, y: 0, width: 170, height: 72 });
  });

  it.each<[string, string[], string[], string[], number[]?]>([
    ['values stand apart', ['Region Q1', 'North 12', 'South 8', 'West 22'], ['Q2 Q3', '11 19', '9 12', '25 20'], ['']],
    [
      'a row has a supplier',
      ['Item Count', 'Valve 14', 'Seal 220', 'Rotor 7'],
      ['Maker Price', 'Brandt 3.20', 'Olsen 0.75', 'Lund 41.00'],
      [],
    ],
    ['the columns have no header', ['Valve 14', 'Seal 220', 'Rotor 7'], ['Bergen 3', 'Oslo 9', 'Molde 2'], ['']],
    [
      'the wide space is within its rows',
      ['Item Remark', 'Valve new', 'Seal used', 'Rotor new'],
      ['Maker Town', 'Brandt Oslo', 'Olsen Lund', 'Lund Vik'],
      [],
      [50, 120, 260, 330],
    ],
    ['there are few rows', ['Item Count', 'Valve 14'], ['Maker Price', 'Brandt 3.20'], ['']],
  ])('are one when %s', (_why, left, right, between, columns = [50, 120, 180, 260, 330]) => {
    expect(textsOf(beside(cells(left), cells(right), columns, between))).toHaveLength(1);
  });
});
