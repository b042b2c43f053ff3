import { expect, it } from 'vitest';
import { markdownBlocksOf } from './markdown-tables.js';
import type { Stretch } from './text-pieces.js';

const AT = 100;

function read(text: string, from = 0): readonly unknown[] {
  const words = (one: Stretch): string => text.slice(one.from - AT, one.to - AT);
  return markdownBlocksOf(text, AT, { from: AT + from, to: AT + text.length }).map((block) =>
    'rows' in block ? { heads: block.hasHeads, rows: block.rows.map((row) => row.map(words)) } : words(block),
  );
}

it('reads a table between paragraphs, without the bars and the line below its heads', () => {
  expect(
    read('Limits:\n\n| Item | Limit |\n|---|--:|\n| Hotel **now** | 135 |\n|  | 42 |\n\nClaims in 20 days.'),
  ).toEqual([
    'Limits:',
    {
      heads: true,
      rows: [
        ['Item', 'Limit'],
        ['Hotel **now**', '135'],
        ['', '42'],
      ],
    },
    'Claims in 20 days.',
  ]);
});

it('goes on with the rows of a table that a border cut', () => {
  const rows = [
    ['Taxi', '60'],
    ['Meals', '42'],
  ];
  expect(read('| Taxi | 60 |\n| Meals | 42 |')).toEqual([{ heads: false, rows }]);
  expect(read('|---|---|\n| Taxi | 60 |\n| Meals | 42 |')).toEqual([{ heads: false, rows }]);
});

it('keeps a bar that is escaped within its cell', () => {
  expect(read('| a \\| b | c |\n|---|---|\n| d | e |')).toEqual([
    {
      heads: true,
      rows: [
        ['a \\| b', 'c'],
        ['d', 'e'],
      ],
    },
  ]);
});

it('takes neither a line between bars for a table, nor what stands in code', () => {
  expect(read('One:\n| no | table |\nTwo.')).toEqual(['One:\n| no | table |\nTwo.']);
  expect(read('```\n| a | b |\n|---|---|\n| c | d |\n```')).toEqual(['```\n| a | b |\n|---|---|\n| c | d |\n```']);
  expect(read('Text alone.\n\nMore.')).toEqual(['Text alone.\n\nMore.']);
});

it('begins where the stretch does, within its text', () => {
  const text = 'Shown above.\n| a | b |\n|---|---|\n| c | d |';
  expect(read(text, text.indexOf('| c'))).toEqual([{ heads: false, rows: [['c', 'd']] }]);
});
