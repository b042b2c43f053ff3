import { describe, expect, it } from 'vitest';
import { makePdf, type PlacedText } from '../testing/make-pdf.js';
import { parseBytes } from '../testing/parse-bytes.js';

const LEFT = [60, 130];
const RIGHT = [360, 440, 530];
/** About as wide as a letter of ten points. */
const LETTER = 5;

type Rows = readonly (readonly string[])[];

/** Rows as a bank prints them: amounts end below each other, and an empty cell is nothing. */
function statement(rows: Rows, step: number, from = 110): PlacedText[] {
  return rows.flatMap((row, at) =>
    row.flatMap((text, column) => {
      if (text === '') return [];
      const right = RIGHT[column - LEFT.length];
      const x = right === undefined ? LEFT[column]! : right - text.length * LETTER;
      return { text, x, y: from + at * step };
    }),
  );
}

const tableOf = async (placed: readonly PlacedText[]): Promise<string[]> => {
  const { outline } = await parseBytes(makePdf([{ lines: [], placed }]), 'a.pdf');
  return outline.flatMap((block) => (block.startsWith('table: ') ? block.slice('table: '.length).split('\n') : []));
};
const linesOf = (rows: Rows): string[] => rows.map((row) => row.join(' | '));

const HEAD = ['Date', 'Text', 'Debit', 'Credit', 'Balance'];
const BODY = [
  ['01.11.2024', 'Brought forward', '', '', '467.65'],
  ['04.11.2024', 'Rent November', '1950.00', '', '1482.35-'],
  ['08.11.2024', 'Cash dispenser', '200.00', '', '1682.35-'],
  ['11.11.2024', 'Credit of a return', '', '83.70', '1598.65-'],
  ['', 'Carried forward', '', '', '1598.65-'],
];

describe('an account statement without rules', () => {
  it.each([14, 16, 18])('has a row for each line with amounts, %i points apart', async (step) => {
    expect(await tableOf(statement([HEAD, ...BODY], step))).toEqual(linesOf([HEAD, ...BODY]));
  });

  it('has a line without an amount in the row above it', async () => {
    const more = ['', 'Harbour street 3', '', '', ''];
    const rows = [HEAD, BODY[0]!, BODY[1]!, more, ...BODY.slice(2)];
    const joined = [HEAD, BODY[0]!, BODY[1]!.with(1, 'Rent November Harbour street 3'), ...BODY.slice(2)];
    expect(await tableOf(statement(rows, 16))).toEqual(linesOf(joined));
  });
});
