import { describe, expect, it } from 'vitest';
import { MarkupTables } from './markup-tables.js';

const LAMP = [
  ['Item', 'Price'],
  ['Lamp', '19.90'],
  ['Desk', '249'],
];

function read(
  text: string,
  step = text.length,
): (string | { rows: readonly (readonly string[])[]; headerRows?: number })[] {
  const tables = new MarkupTables();
  const parts = [];
  for (let at = 0; at < text.length; at += step) parts.push(...tables.feed(text.slice(at, at + step)));
  return [...parts, ...tables.finish()];
}

const tablesIn = (text: string, step?: number): unknown[] =>
  read(text, step).flatMap((part) => (typeof part === 'string' ? [] : [part.rows]));
const textIn = (text: string): string =>
  read(text)
    .filter((part) => typeof part === 'string')
    .join('');

describe('tables of markups', () => {
  it.each([
    [
      'AsciiDoc with a header that is named',
      '.Prices\n[cols="1,1",options="header"]\n|===\n|Item |Price\n|Lamp |19.90\n|Desk\n|249\n|===\n',
    ],
    ['AsciiDoc with a header above an empty line', '|===\n|Item |Price\n\n|Lamp\n|19.90\n\n|Desk |249\n|===\n'],
    [
      'AsciiDoc with the fields of a file',
      '[format=csv,options="header"]\n|===\nItem,Price\nLamp,"19.90"\nDesk,249\n|===\n',
    ],
    [
      'LaTeX',
      '\\begin{tabular}{l r}\n\\hline\nItem & \\textbf{Price} \\\\ \\hline\nLamp & 19.90 \\\\[2pt]\nDesk & 249 % old\n\\end{tabular}\n',
    ],
    ['LaTeX of one line', '\\begin{tabular}{ll} Item & Price \\\\ Lamp & 19.90 \\\\ Desk & 249 \\end{tabular}\n'],
    [
      'MediaWiki',
      '{| class="wikitable"\n! Item !! Price\n|-\n| Lamp || style="x" | 19.90\n|-\n| [[desk|Desk]]\n| 249\n|}\n',
    ],
    [
      'a list of reStructuredText',
      '.. list-table:: Prices\n   :header-rows: 1\n\n   * - Item\n     - Price\n   * - Lamp\n     - 19.90\n   * - Desk\n     - 249\n\nEnd\n',
    ],
    ['fields of reStructuredText', '.. csv-table::\n   :header: Item, Price\n\n   Lamp, 19.90\n   "Desk", 249\n'],
  ])('are rows: %s', (_name, text) => {
    expect(tablesIn(text)).toEqual([LAMP]);
    expect(tablesIn(text, 3)).toEqual([LAMP]);
  });

  it('repeat what is over several columns or rows', () => {
    expect(tablesIn('[cols=3]\n|===\n|a 2+|b\n.2+|c |d |e\n|f |g\n|===\n')).toEqual([
      [
        ['a', 'b', 'b'],
        ['c', 'd', 'e'],
        ['c', 'f', 'g'],
      ],
    ]);
    expect(tablesIn('\\begin{tabular}{lll}\n\\multicolumn{2}{c}{a} & b \\\\\nc & d & e\n\\end{tabular}\n')).toEqual([
      [
        ['a', 'a', 'b'],
        ['c', 'd', 'e'],
      ],
    ]);
    expect(tablesIn('{|\n! colspan=2 | a\n|-\n| b || c\n|}\n')).toEqual([
      [
        ['a', 'a'],
        ['b', 'c'],
      ],
    ]);
  });

  it('have their caption as a line of text above, and their marks in no text', () => {
    expect(textIn('Above\n\n.Prices\n[options="header"]\n|===\n|a |b\n|c |d\n|===\nBelow\n')).toBe(
      'Above\n\nPrices\n\n\nBelow\n',
    );
    expect(textIn('{|\n|+ Prices\n! a !! b\n|-\n| c || d\n|}\n')).toBe('Prices\n\n\n');
  });

  it('of LaTeX may begin and end within lines, whose other words stay in the text', () => {
    const table = '\\begin{tabular}{ll} Item & Price \\\\ Lamp & 19.90 \\\\ Desk & 249 \\end{tabular}';
    const text = `\\begin{table}\\caption{Prices}${table} of May\\end{table}\nBelow\n`;
    expect(tablesIn(text)).toEqual([LAMP]);
    expect(textIn(text)).toBe('\\begin{table}\\caption{Prices}\n\n of May\\end{table}\nBelow\n');
    const open = 'See \\begin{tabular}{ll} a & b \\\\\n';
    expect(textIn(open)).toBe(open);
  });

  it('begin with a header of Jira or of Textile', () => {
    expect(textIn('||Item||Price||\n|Lamp|19|\n')).toBe('|Item|Price|\n|Lamp|19|\n');
    expect(textIn('|_. Item |_. Price |\n| Lamp | 19 |\n')).toBe('| Item | Price |\n| Lamp | 19 |\n');
  });

  it.each([
    ['a table that never ends', '|===\n|a |b\n|c |d\n'],
    ['one of a single row', '{|\n| a || b\n|}\n'],
    ['marks above other text', '.hidden files\n[role="x"]\nwords\n'],
    ['bars and braces elsewhere', 'a || b\n{| x\n'],
    ['arrays of formulas', '\\begin{array}{ll} a & b \\\\ c & d \\end{array}\n'],
  ])('are none: %s', (_name, text) => {
    expect(tablesIn(text)).toEqual([]);
    expect(textIn(text)).toBe(text);
  });

  it.each([
    ['{|\n| ', '<ref>'],
    ['{|\n| ', '[['],
    ['{|\n| ', '='],
    ['\\begin{tabular}{l}\n', '\\hline['],
    ['|===\n', '2+|'],
    ['[cols="1,1",format=csv]\n|===\n', '"'],
    ['[cols', ' cols'],
  ])('cost as much as they are long: %j and much of %j', (beginning, piece) => {
    expect(read(`${beginning}${piece.repeat(100_000)}\n|}\n|===\n\\end{tabular}\n`).length).toBeGreaterThan(0);
  });
});
