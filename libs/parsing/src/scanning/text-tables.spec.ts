import { describe, expect, it } from 'vitest';
import { TextTables, type DrawnTable } from './text-tables.js';

function tablesOf(text: string, pieceUnits = text.length): (string | DrawnTable)[] {
  const tables = new TextTables();
  const parts: (string | DrawnTable)[] = [];
  for (let at = 0; at < text.length; at += pieceUnits) parts.push(...tables.feed(text.slice(at, at + pieceUnits)));
  parts.push(...tables.finish());
  return parts;
}

const rowsOf = (text: string): (readonly (readonly string[])[])[] =>
  tablesOf(text).flatMap((part) => (typeof part === 'string' ? [] : [part.rows]));

/** What is in no table. */
const restOf = (parts: readonly (string | DrawnTable)[]): string =>
  parts.map((part) => (typeof part === 'string' ? part : '')).join('');

describe('tables that a plain text draws', () => {
  it('are rows in a frame of bars, and go on below the heading of the next page', () => {
    const page = (number: number, ...rows: string[]): string =>
      [
        `Open items            ${number}`,
        '-----------------',
        '|Vendor|     Amount|',
        '|------------------|',
        ...rows,
        '--------------------',
        '',
      ].join('\r\n');
    const text = page(1, '|000100|  1.250,00-|', '|000200|     10,40 |') + page(2, '|000300|      9,10 |');
    const expected = [
      {
        firstRow: 1,
        continues: false,
        rows: [
          ['Vendor', 'Amount'],
          ['000100', '1.250,00-'],
          ['000200', '10,40'],
        ],
      },
      {
        firstRow: 4,
        continues: true,
        rows: [
          ['Vendor', 'Amount'],
          ['000300', '9,10'],
        ],
      },
    ];
    for (const units of [text.length, 7]) {
      expect(tablesOf(text, units).filter((part) => typeof part !== 'string')).toEqual(expected);
    }
    expect(
      tablesOf(text)
        .filter((part) => typeof part === 'string')
        .join(''),
    ).toContain('Open items            2');
  });

  it('are what clients of databases print', () => {
    const rows = [
      ['id', 'name'],
      ['1', 'Ada'],
      ['2', 'Bo'],
    ];
    expect(
      rowsOf('+----+------+\n| id | name |\n+----+------+\n|  1 | Ada  |\n|  2 | Bo   |\n+----+------+\n2 rows\n'),
    ).toEqual([rows]);
    expect(rowsOf(' id | name \n----+------\n  1 | Ada\n  2 | Bo\n(2 rows)\n')).toEqual([rows]);
  });

  it('are columns below a ruler of dashes', () => {
    const text =
      'Item    Description           Qty\n------  -------------------  ----\nA-1     V-belt, 1200 mm         7\nB-2210  Hose                    \n------  -------------------  ----\nTotal                           7\n\nCounted.\n';
    expect(rowsOf(text)).toEqual([
      [
        ['Item', 'Description', 'Qty'],
        ['A-1', 'V-belt, 1200 mm', '7'],
        ['B-2210', 'Hose', ''],
        ['Total', '', '7'],
      ],
    ]);
    expect(restOf(tablesOf(text))).toBe('\n\nCounted.\n');
  });

  it('are rows parted by bars, tabs or semicolons below a header', () => {
    for (const sign of ['|', '\t', ';']) {
      const text =
        ['Part', 'Store', 'Stock'].join(sign) +
        '\n' +
        ['R1', '1000', '2,5-'].join(sign) +
        '\n' +
        ['R2', '', '7'].join(sign) +
        '\n';
      expect(rowsOf(text)).toEqual([
        [
          ['Part', 'Store', 'Stock'],
          ['R1', '1000', '2,5-'],
          ['R2', '', '7'],
        ],
      ]);
    }
  });

  it('keep empty cells at the end of rows that tabs part', () => {
    expect(rowsOf('Part\tStore\tStock\t\r\nR1\t1\t2\t\r\nTotal\t2\t\t\r\n')).toEqual([
      [
        ['Part', 'Store', 'Stock', ''],
        ['R1', '1', '2', ''],
        ['Total', '2', '', ''],
      ],
    ]);
  });

  it('are neither prose, nor logs, nor headings, nor drawings', () => {
    for (const text of [
      'Heading\n=======\n\nOne; two; three.\nFour; five.\nSix; seven; eight; nine.\n',
      'One; two; three.\nFour; five; six.\nSeven; eight; nine.\n',
      '2026-05-01 08:00 | INFO | main | started\n2026-05-01 08:01 | INFO | main | ended\n2026-05-01 08:02 | WARN | disk | full\n',
      '--- --- ---\n\n* * *\n\n-----\n|\n|\n',
      'a | b\nc | d\n',
      '\tindented\n\tmore\n\tand more\n',
      `${'x|'.repeat(5_000)}\n`.repeat(3),
    ]) {
      expect(rowsOf(text)).toEqual([]);
      expect(restOf(tablesOf(text, 5))).toBe(text);
    }
  });

  it('are given away in parts when they are long', () => {
    const text = `Part;Store;Stock\n${'R1;1000;7\n'.repeat(2_500)}`;
    const tables = tablesOf(text).filter((part) => typeof part !== 'string');
    expect(tables.map(({ firstRow, rows }) => [firstRow, rows.length])).toEqual([
      [1, 1000],
      [1001, 1000],
      [2001, 501],
    ]);
  });
});
