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
  const record = [
    ['4500001', '01.02.2025', 'Müller GmbH', '10', '5,00', 'Schrauben'],
    ['4500002', '02.02.2025', 'Meier AG', '20', '7,00', 'Muttern'],
  ];
  const labels = ['Beleg', 'Datum', 'Lieferant', 'Menge', 'Preis', 'Text'];
  const framed = (cells: readonly string[]): string => `|${cells.map((cell) => cell.padEnd(12)).join('|')}|`;
  const rule = '-'.repeat(40);

  it('are drawn with the signs of terminals and of DOS too, but no trees of folders', () => {
    const rows = [
      ['Art.', 'Name', 'Sum'],
      ['1040', 'Nut M6', '18,20'],
      ['2210', 'Hinge', '400,00'],
    ];
    const lines = (left: string, between: string, right: string): string[] =>
      rows.map((cells) => `${left} ${cells.map((cell) => cell.padEnd(8)).join(` ${between} `)} ${right}`.trim());
    const [head, ...body] = lines('│', '│', '│');
    const single = ['┌────┬────┬────┐', head!, '├────┼────┼────┤', ...body, '└────┴────┴────┘'];
    const [doubleHead, ...doubleBody] = lines('║', '│', '║');
    const double = ['╔════╤════╤════╗', doubleHead!, '╟────┼────┼────╢', ...doubleBody, '╚════╧════╧════╝'];
    const [bareHead, ...bareBody] = lines('', '│', '');
    const bare = [bareHead!, '─────┼──────┼─────', ...bareBody];
    for (const drawn of [single, double, bare]) {
      for (const units of [1_000, 7]) {
        const parts = tablesOf(`before\n${drawn.join('\n')}\nTotal 418,20\n`, units);
        expect(parts.filter((part) => typeof part !== 'string').map((part) => part.rows)).toEqual([rows]);
        expect(restOf(parts)).toBe('before\n\nTotal 418,20\n');
      }
    }
    const tree =
      'src\n├── app\n│   ├── main.ts\n│   │   └── deep │ x\n│   └── run.ts\n└── libs\n    │   │   └── a.ts\n';
    expect(restOf(tablesOf(tree))).toBe(tree);
  });

  it('have records of several lines, below as many of labels', () => {
    const lines = (cells: readonly string[]): string[] => [framed(cells.slice(0, 3)), framed(cells.slice(3))];
    const plain = [rule, ...lines(labels), rule, ...record.flatMap(lines), rule].join('\n');
    const ruled = [rule, ...lines(labels), rule, ...record.flatMap((cells) => [...lines(cells), rule])].join('\n');
    const uneven = (cells: readonly string[]): string[] => [framed(cells.slice(0, 2)), framed(cells.slice(2))];
    const mixed = [rule, ...uneven(labels), rule, ...record.flatMap(uneven), rule].join('\n');
    for (const text of [plain, ruled, mixed]) {
      for (const units of [text.length, 7]) {
        expect(tablesOf(text, units).filter((part) => typeof part !== 'string')).toEqual([
          { firstRow: 1, continues: false, rows: [labels, ...record] },
        ]);
      }
    }
  });

  it('are records of one line below a header of two, and go on after many rows', () => {
    const rows = [
      ['Nord', '1', '2'],
      ['Süd', '3', '4'],
      ['Ost', '5', '6'],
      ['West', '7', '8'],
    ];
    const head = [
      ['Region', 'Plan', 'Ist'],
      ['', 'TEUR', 'TEUR'],
    ];
    expect(rowsOf([rule, ...head.map(framed), rule, ...rows.map(framed), rule].join('\n'))).toEqual([
      [...head, ...rows],
    ]);
    // A header of fewer cells above the one of all columns.
    const group = [rule, framed(['Region', 'TEUR']), framed(head[0]!), rule, ...rows.map(framed), rule].join('\n');
    expect(rowsOf(group)).toEqual([[head[0], ...rows]]);
    const long = Array.from({ length: 1_500 }, (_, at) => [
      [`A${at}`, '1', 'x'],
      ['w', 'y', String(at)],
    ]).flat();
    const alike = Array.from({ length: 3_000 }, (_, at) => framed([`A${at}`, '1', '2']));
    expect(rowsOf([rule, ...head.map(framed), rule, ...alike, rule].join('\n')).flat()).toHaveLength(3_002);
    const columns = [
      ['Nr', 'Menge', 'Text'],
      ['Ort', 'Name', 'Preis'],
    ];
    const records = rowsOf([rule, ...columns.map(framed), rule, ...long.map(framed), rule].join('\n')).flat();
    expect(records).toHaveLength(1_501);
    expect(records.at(-1)).toEqual(['A1499', '1', 'x', 'w', 'y', '1499']);
  });

  it('are looked for once more at most where lines are no records', () => {
    const text = '|a|b|\n|c|d|e|\n'.repeat(50_000);
    expect(restOf(tablesOf(text))).toHaveLength(text.length);
  });

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
