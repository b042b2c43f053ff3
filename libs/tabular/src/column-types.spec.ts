import { describe, expect, it } from 'vitest';
import { readColumn, readTable } from './testing/read-table.js';

describe('the type of a column', () => {
  it.each([
    ['whole numbers', ['1', '22', '-3'], 'integer', [1, 22, -3]],
    ['thousands with commas', ['1,234', '12,345,678'], 'integer', [1234, 12_345_678]],
    ['thousands with points, decided by another value', ['1.234', '12.345.678'], 'integer', [1234, 12_345_678]],
    ['decimal comma', ['1,5', '1.234,25', '7'], 'number', [1.5, 1234.25, 7]],
    ['decimal point', ['1.5', '1,234.25', '7'], 'number', [1.5, 1234.25, 7]],
    ['thousands with spaces', ['1 234', '12\u202f345'], 'integer', [1234, 12_345]],
    ['thousands with apostrophes', ["1'234.50", '12’345.00'], 'number', [1234.5, 12_345]],
    ['groups as in India', ['12,34,567', '1,00,000'], 'integer', [1_234_567, 100_000]],
    ['a minus of printers, brackets of accountants', ['−5', '(1,200)', '+3'], 'integer', [-5, -1200, 3]],
    ['a minus behind, as ledgers write it', ['1.234,50-', '12,00', '7,25 -'], 'number', [-1234.5, 12, -7.25]],
    [
      'brackets and a minus beside a currency',
      ['€ (1,234.50)', '(500) €', '12.00- €', '€ 5'],
      'number',
      [-1234.5, -500, -12, 5],
    ],
    ['amounts without cents', ['5,-', '12,50'], 'number', [5, 12.5]],
    ['spans that are open', ['1998-', '2004-'], 'text', ['1998-', '2004-']],
    ['powers of ten', ['1e3', '2.5E-3'], 'number', [1000, 0.0025]],
    ['magnitudes', ['$1.5 million', '$20 million'], 'number', [1_500_000, 20_000_000]],
    ['numbers with a sign for them', ['#11', '#2'], 'integer', [11, 2]],
    ['ordinals', ['1st', '2nd', '11th'], 'integer', [1, 2, 11]],
    ['marks of notes', ['1,234[1]', '5†', '6*'], 'integer', [1234, 5, 6]],
    ['what is not there', ['1', '–', 'n/a', '', '3'], 'integer', [1, null, null, null, 3]],
    ['keys with zeros in front', ['00123', '04567'], 'text', ['00123', '04567']],
    ['long keys', ['4111111111111111', '5500000000000004'], 'text', ['4111111111111111', '5500000000000004']],
    ['scores', ['4–2', '3–1'], 'text', ['4–2', '3–1']],
    ['words with digits', ['Apollo 11', 'Apollo 13'], 'text', ['Apollo 11', 'Apollo 13']],
    ['days as in Germany', ['31.12.2025', '01.02.2025'], 'date', ['2025-12-31', '2025-02-01']],
    ['months first', ['12/31/2025', '01/02/2025'], 'date', ['2025-12-31', '2025-01-02']],
    ['days first', ['31/12/2025', '01/02/2025'], 'date', ['2025-12-31', '2025-02-01']],
    ['ISO dates', ['2025-12-31', '2025-01-02'], 'date', ['2025-12-31', '2025-01-02']],
    [
      'names of months',
      ['3 March 2024', 'May 12, 2024', '1. Mai 2024'],
      'date',
      ['2024-03-03', '2024-05-12', '2024-05-01'],
    ],
    [
      'names of months in more languages',
      ['31 października 2028', '31 Ekim 2028', '31. oktober 2028', '31. desember 2028', 'mardi 31 octobre 2028'],
      'date',
      ['2028-10-31', '2028-10-31', '2028-10-31', '2028-12-31', '2028-10-31'],
    ],
    ['years of two digits', ['31/12/69', '01/02/68'], 'date', ['1969-12-31', '2068-02-01']],
    [
      'times',
      ['2025-12-31 10:30', '2025-01-02T23:59:01Z'],
      'datetime',
      ['2025-12-31T10:30:00.000', '2025-01-02T23:59:01.000'],
    ],
    [
      'halves of days',
      ['12/31/2025 12:05 AM', '01/02/2025 1:00 pm'],
      'datetime',
      ['2025-12-31T00:05:00.000', '2025-01-02T13:00:00.000'],
    ],
    ['zones', ['2025-01-01T01:00:00+02:00'], 'datetime', ['2024-12-31T23:00:00.000']],
    [
      'months without days',
      ['May 2024', 'Juni 2024', 'Sept. 2023'],
      'date',
      ['2024-05-01', '2024-06-01', '2023-09-01'],
    ],
    ['days without years', ['May 12', 'June 3'], 'text', ['May 12', 'June 3']],
    ['seasons', ['2010-11', '2011-12'], 'text', ['2010-11', '2011-12']],
    ['words with years', ['Euro 2024', 'Copa 2019'], 'text', ['Euro 2024', 'Copa 2019']],
    ['yes and no', ['yes', 'No', ''], 'boolean', [true, false, null]],
    ['words of another language', ['ja', 'nein'], 'boolean', [true, false]],
    ['words', ['Berlin', 'Paris[2]'], 'text', ['Berlin', 'Paris']],
    ['nothing', ['', '-'], 'text', [null, null]],
    ['years', ['1998', '2004'], 'integer', [1998, 2004]],
  ] as const)('%s', (_what, cells, type, values) => {
    expect(readColumn(cells)).toMatchObject({ type, values });
  });

  it('takes its unit from the cells, one unit for all', () => {
    expect(readColumn(['12 kg', '3.5 kg'])).toMatchObject({ type: 'number', unit: 'kg' });
    expect(readColumn(['12 %', '3%'])).toMatchObject({ type: 'number', unit: '%', values: [12, 3] });
    expect(readColumn(['€1.5', '€2'])).toMatchObject({ type: 'number', unit: '€' });
    expect(readColumn(['5,9 l/100 km', '6,1 l/100 km'])).toMatchObject({
      type: 'number',
      unit: 'l/100 km',
      values: [5.9, 6.1],
    });
    expect(readColumn(['1 year', '2 years'])).toMatchObject({ type: 'integer', unit: 'years' });
    expect(readColumn(['12 kg', '3 lb'])).toMatchObject({ type: 'text', unit: null });
  });

  it.each([
    ['shares and amounts', ['12%', '340', '5%', '210']],
    ['few with a unit', ['5', '3', '2 kg', '7', '1.5 kg']],
    ['two units', ['12 kg', '3 lb', '4 kg']],
    ['two currencies', ['€ 5', '$ 6']],
  ])('is of words where units are mixed, and says so: %s', (_what, cells) => {
    const column = readColumn(cells);
    expect(column).toMatchObject({ type: 'text', unit: null, values: cells });
    expect(column.repaired).toMatchObject([{ code: 'units_mixed', column: 'header', count: 1 }]);
  });

  it.each([
    ['money at the top and the bottom', ['$1,200', '300', '450', '$1,950'], '$', [1200, 300, 450, 1950], [3, 4]],
    ['money here and there', ['€ 5', '3', '€ 4'], '€', [5, 3, 4], [3]],
    ['a share at the top', ['12%', '5', '3', '80'], '%', [12, 5, 3, 80], [3, 4, 5]],
    ['most', ['2 kg', '3 kg', '4', '0'], 'kg', [2, 3, 4, 0], [4]],
    [
      'a stray',
      [...Array.from({ length: 19 }, (_, at) => `${at + 1}%`), '50'],
      '%',
      [...Array.from({ length: 19 }, (_, at) => at + 1), 50],
      [21],
    ],
  ])('names the values that are read as of the unit of the others: %s', (_what, cells, unit, values, rows) => {
    const column = readColumn(cells);
    expect(column).toMatchObject({ unit, values });
    expect(column.repaired).toMatchObject([{ code: 'unit_missing', column: 'header', count: rows.length, rows }]);
  });

  it('is of the unit that its label names, whichever cells repeat it', () => {
    const table = (label: string, cells: string[]) =>
      readTable([['Name', label], ...cells.map((cell) => ['x', cell])])!;
    const share = table('Share (%)', ['12%', '5', '3']);
    expect(share).toMatchObject({ columns: [{}, { type: 'number', unit: '%' }], repaired: [] });
    expect(table('Price (EUR)', ['€ 5', '3']).columns[1]).toMatchObject({ type: 'integer', unit: '€' });
    expect(table('Price (EUR)', ['5%', '3', '4', '2']).columns[1]).toMatchObject({ type: 'text' });
    expect(readColumn(['0', '5%', '3%'])).toMatchObject({ type: 'number', unit: '%', repaired: [] });
  });

  it.each([
    ['Price (EUR)', ['100', '$120', '90']],
    ['Price (€)', ['100', '90', 'CHF 5']],
    ['Share (‰)', ['12%', '5', '3']],
    ['Share (%)', ['12 ‰', '5', '3']],
  ])('stays words where cells contradict its label: %s', (label, cells) => {
    const { columns, repaired } = readTable([['Name', label], ...cells.map((cell) => ['x', cell])])!;
    expect(columns[1]).toMatchObject({ type: 'text', unit: null });
    expect(repaired).toMatchObject([{ code: 'units_mixed' }]);
  });

  it.each([
    ['Price (EUR)', '€ 5'],
    ['Price ($)', 'USD 5'],
    ['Price (£)', 'GBP 5'],
    ['Price (JPY)', '¥5'],
    ['Price (CHF)', 'Fr. 5'],
    ['Share (percent)', '5%'],
  ])('may spell its unit in another way than its label: %s', (label, cell) => {
    const { columns, repaired } = readTable([
      ['Name', label],
      ['x', '3'],
      ['x', cell],
      ['x', '4'],
    ])!;
    expect([columns[1]!.type, repaired]).toEqual([expect.stringMatching(/integer|number/), []]);
  });

  it('reads what no value decides by the language of the document', () => {
    expect(readColumn(['1.234', '5.678'], { language: 'de' }).values).toEqual([1234, 5678]);
    expect(readColumn(['1.234', '5.678'], { language: 'en' }).values).toEqual([1.234, 5.678]);
    expect(readColumn(['0.123', '0.456'], { language: 'de' }).values).toEqual([0.123, 0.456]);
    expect(readColumn(['(1,200)', '300'], { language: 'es' }).values).toEqual([-1200, 300]);
    expect(readColumn(['(1.200)', '300']).values).toEqual([-1200, 300]);
    expect(readColumn(['(1.200)', '(0.314)']).values).toEqual([-1.2, -0.314]);
    expect(readColumn(['01/02/2025'], { language: 'fr' }).values).toEqual(['2025-02-01']);
    expect(readColumn(['01/02/2025'], { language: 'en' }).values).toEqual(['2025-01-02']);
  });

  it('is a type still when one value of many is something else, and says so', () => {
    const cells = [...Array.from({ length: 20 }, (_, index) => String(index)), 'withdrawn'];
    expect(readColumn(cells)).toMatchObject({ type: 'integer' });
    expect(readColumn(['1', '2', 'withdrawn'])).toMatchObject({ type: 'text' });
  });

  it('is what the policy says, by header or name', () => {
    const types = new Map([['header', 'text']] as const);
    expect(readColumn(['1', '2'], { types })).toMatchObject({ type: 'text', values: ['1', '2'] });
  });
});
