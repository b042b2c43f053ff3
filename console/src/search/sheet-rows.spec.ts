import { expect, it } from 'vitest';
import { blocksOf, columnsOf, headRowsOf, tabledBlocksOf } from './sheet-rows.js';
import type { Stretch } from './text-pieces.js';

const AT = 100;

function read(text: string, at = AT): readonly unknown[] {
  const words = ({ from, to }: Stretch): string => text.slice(from - at, to - at);
  return blocksOf(text, at).map((block) =>
    'rows' in block ? { heads: block.hasHeads, rows: block.rows.map((row) => row.map(words)) } : words(block),
  );
}

it('reads a sheet as its heading and a table with heads', () => {
  expect(read('Stock\n\nArticle | Price\nA1 | 12\nA2 | ')).toEqual([
    'Stock\n',
    {
      heads: true,
      rows: [
        ['Article', 'Price'],
        ['A1', '12'],
        ['A2', ''],
      ],
    },
  ]);
});

it('takes no row for heads where a text goes on with a table', () => {
  expect(read('A3 | 14\nA4 | 15\n\nOrders\nDay | Sum')).toEqual([
    {
      heads: false,
      rows: [
        ['A3', '14'],
        ['A4', '15'],
      ],
    },
    '\nOrders',
    { heads: true, rows: [['Day', 'Sum']] },
  ]);
  expect(read('Article | Price', 0)).toEqual([{ heads: true, rows: [['Article', 'Price']] }]);
});

it('names the columns of a table that goes on, by the heading above it', () => {
  const goesOn = blocksOf('A3 | 14\nA4 | 15', AT);
  expect(columnsOf(['Stock', 'Article | Price'], goesOn)).toEqual(['Article', 'Price']);
  expect(columnsOf(['Stock'], goesOn)).toBeUndefined();
  expect(columnsOf([], goesOn)).toBeUndefined();
  expect(columnsOf(['Home | News'], blocksOf('Welcome.', AT))).toBeUndefined();
  expect(columnsOf(['Home | News'], blocksOf('Item | Limit\nHotel | 135', 0))).toBeUndefined();
});

it('makes one text of lines that are no rows', () => {
  expect(read('One.\nTwo: a|b.')).toEqual(['One.\nTwo: a|b.']);
  expect(read('')).toEqual([]);
});

it('takes rows that follow each other in prose for a table, and a single line with bars for a sentence', () => {
  const words = (text: string): readonly unknown[] =>
    tabledBlocksOf(text, AT).map((block) =>
      'rows' in block ? block.rows.length : text.slice(block.from - AT, block.to - AT),
    );
  expect(words('Home | News | Contact\n\nWelcome.\n\nItem | Limit\nHotel | 135\n\nSee the office.')).toEqual([
    'Home | News | Contact\n\nWelcome.',
    2,
    'See the office.',
  ]);
  expect(words('a | b\nc | d | e')).toEqual(['a | b\nc | d | e']);
});

it.each([
  ['one row of names', 1, ['Article | Price', 'A1 | 12', 'A2 | 14']],
  ['two where names go over several columns', 2, ['Unit | 2024 | 2024', ' | Plan | Actual', 'Sales | 10 | 9']],
  ['three', 3, ['Unit | N | N | N', ' | Day | Day | Night', ' | Plan | Real | Plan', 'Sales | 10 | 9 | 8']],
  ['one above words that repeat', 1, ['Who | Where | When', 'Ann | Cork | Cork', 'Bob | Cork | Cobh']],
  ['one above the same value in merged columns', 1, ['Who | Where | Where', 'Ann | Cork | Cork', 'Bob | Cork | Cobh']],
  ['one above numbers', 1, ['Unit | 2024 | 2024', 'Sales | 10 | 9', 'Service | 7 | 8']],
  ['no row of values', 1, ['Unit | 2024 | 2024', ' | Plan | Actual']],
])('counts the rows that name the columns: %s', (_, count, rows) => {
  expect(headRowsOf(rows.map((row) => row.split(' | ')))).toBe(count);
});
