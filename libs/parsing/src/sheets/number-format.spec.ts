import { describe, expect, it } from 'vitest';
import { builtinFormat } from './builtin-formats.js';
import { compileNumberFormat, formatGeneral } from './number-format.js';
import { notationOf, type WorkbookWords } from './number-notation.js';

const show = (format: string, value: number): string => compileNumberFormat(format)(value);

describe('compileNumberFormat', () => {
  it.each([
    ['0', 3.6, '4'],
    ['0', 4111111111111111, '4111111111111111'],
    ['0000 0000 0000 0000', 4111111111111111, '4111 1111 1111 1111'],
    ['#,##0', 4111111111111111, '4,111,111,111,111,111'],
    ['General', 4111111111111111, '4111111111111111'],
    ['0.00', 1.005, '1.01'],
    ['0.00', -2.5, '-2.50'],
    ['0.00', -0.001, '0.00'],
    ['#,##0', 1234567, '1,234,567'],
    ['#,##0.00 "€"', 1234.5, '1,234.50 €'],
    ['[$€-407] #,##0.00', 12.5, '€ 12.50'],
    ['$#,##0_);($#,##0)', -1200, '($1,200)'],
    ['0%', 0.234, '23%'],
    ['0.0%', 0.2345, '23.5%'],
    ['0.###', 1.5, '1.5'],
    ['000', 7, '007'],
    ['000-00-0000', 123456789, '123-45-6789'],
    ['0.0,"k"', 12345, '12.3k'],
    ['0.00E+00', 12345, '1.23E+04'],
    ['"Q"0', 3, 'Q3'],
    ['0" pcs"', 3, '3 pcs'],
    ['0.0;-0.0;"none"', 0, 'none'],
    ['[Red]0.0;[Blue]-0.0', -4, '-4.0'],
    ['General" kg"', 2.5, '2.5 kg'],
    ['@', 3, '3'],
  ])('shows %j of %d as %j', (format, value, expected) => {
    expect(show(format, value)).toBe(expected);
  });

  it.each([
    ['yyyy-mm-dd', 45000, '2023-03-15'],
    ['yyyy-mm-dd hh:mm', 45000.52, '2023-03-15 12:28'],
    ['d. mmmm yyyy', 45000, '15. March 2023'],
    ['[$-407]d. mmm yy', 45000, '15. Mrz 23'],
    ['dddd', 45000, 'Wednesday'],
    ['m/d/yy', 45000, '3/15/23'],
    ['h:mm AM/PM', 0.75, '6:00 PM'],
    ['mm:ss', 0.5 / 24 / 60, '00:30'],
    ['[h]:mm', 1.5, '36:00'],
    ['yyyy"年"m"月"d"日"', 45000, '2023年3月15日'],
    ['yyyy年m月d日', 45000, '2023年3月15日'],
    ['dd.mm.yyyy', 1, '01.01.1900'],
    ['dd.mm.yyyy', 61, '01.03.1900'],
    ['hh:mm:ss.00', 0.5, '12:00:00.00'],
  ])('shows the moment %j of %d as %j', (format, value, expected) => {
    expect(show(format, value)).toBe(expected);
  });

  it('counts days from 1904 when the workbook does', () => {
    expect(compileNumberFormat('yyyy-mm-dd', { date1904: true })(0)).toBe('1904-01-01');
  });

  it('shows the plain number where a format shows nothing, a fraction, or no date there is', () => {
    expect(show(';;;', 5)).toBe('5');
    expect(show('# ?/?', 0.5)).toBe('0.5');
    expect(show('yyyy-mm-dd', -5)).toBe('-5');
    expect(show('yyyy-mm-dd', 1e9)).toBe('1000000000');
    expect(show('0'.repeat(1000), 5)).toBe('5');
    expect(show('0', Number.NaN)).toBe('NaN');
  });

  it('never throws, whatever the format', () => {
    const signs = [
      '0',
      '#',
      '?',
      '.',
      ',',
      '%',
      '/',
      '@',
      ';',
      '"',
      '\\',
      '_',
      '*',
      '[',
      ']',
      'E+',
      'y',
      'm',
      'h',
      's',
      'é',
    ];
    for (let seed = 1; seed < 3000; seed += 1) {
      let state = seed;
      let format = '';
      for (let length = 0; length < 8; length += 1) {
        state = (state * 1103515245 + 12345) % 2147483648;
        format += signs[state % signs.length];
      }
      for (const value of [0, 1234.5, -0.5, 1e20, 45000.3]) expect(typeof show(format, value)).toBe('string');
    }
  });
});

describe('formatGeneral', () => {
  it('shows what was typed, not the binary neighbour', () => {
    expect(formatGeneral(0.1 + 0.2)).toBe('0.3');
    expect(formatGeneral(123456789012345)).toBe('123456789012345');
  });
});

describe('builtinFormat', () => {
  it('shows dates that differ from country to country as ISO dates', () => {
    expect([14, 22, 30, 57].map(builtinFormat)).toEqual(['yyyy-mm-dd', 'yyyy-mm-dd hh:mm', 'yyyy-mm-dd', 'yyyy-mm-dd']);
    expect(builtinFormat(0)).toBeUndefined();
    expect(builtinFormat(49)).toBeUndefined();
  });
});

describe('the language of a format', () => {
  const DAY = 47_057; // 31 October 2028, a Tuesday
  it.each([
    ['[$-407]d. mmmm yyyy;@', '31. Oktober 2028'],
    ['[$-40C]dddd d mmmm yyyy', 'mardi 31 octobre 2028'],
    ['[$-C0A]d" de "mmmm', '31 de octubre'],
    ['[$-410]d mmmm yyyy', '31 ottobre 2028'],
    ['[$-413]d mmm yyyy', '31 okt 2028'],
    ['[$-416]d mmm yyyy', '31 out 2028'],
    ['[$-41D]d mmmm', '31 oktober'],
    ['[$-406]d. mmmm', '31. oktober'],
    ['[$-414]mmmm', 'oktober'],
    ['[$-415]d mmmm yyyy', '31 października 2028'],
    ['[$-415]mmmm yyyy', 'październik 2028'],
    ['[$-41F]d mmmm yyyy dddd', '31 Ekim 2028 Salı'],
    ['[$-de-AT]d. mmm', '31. Okt'],
    ['[$-101040C]mmmm', 'octobre'],
    ['[$-409]mmmm d, yyyy', 'October 31, 2028'],
    ['[$-F800]dddd, mmmm dd, yyyy', 'Tuesday, October 31, 2028'],
    ['[$-xx-sysdate]mmmm', 'October'],
    ['[$€-407] 0', '€ 47057'],
  ])('%s shows %s', (format, text) => {
    expect(compileNumberFormat(format)(DAY)).toBe(text);
  });
});

describe('the notation of a workbook', () => {
  const showIn = (format: string, value: number, words: Partial<WorkbookWords>): string =>
    compileNumberFormat(format, { notation: notationOf({ language: undefined, formats: [], sample: '', ...words }) })(
      value,
    );
  const german = 'Die Rechnung für den Monat März ist noch nicht bezahlt, und die Mahnung geht an den Kunden.';
  const english = 'The invoice for the month of March has not been paid yet, and the reminder goes to the customer.';

  it.each([
    ['language of the file', { language: 'de-DE', sample: english }, '1.234,50 €'],
    ['language of the file', { language: 'en-GB', formats: ['[$€-407] 0'] }, '1,234.50 €'],
    ['language of the file', { language: 'de-CH' }, "1'234.50 €"],
    ['language of the file', { language: 'fr-FR' }, '1\u00a0234,50 €'],
    ['formats', { formats: ['0', '#,##0.00 [$€-407]'], sample: english }, '1.234,50 €'],
    ['formats', { formats: ['[$€-de-DE] 0'] }, '1.234,50 €'],
    ['formats', { formats: ['[$$-409]#,##0.00'], sample: german }, '1,234.50 €'],
    ['words, where formats differ', { formats: ['[$$-409]0', '[$€-407] 0'], sample: german }, '1.234,50 €'],
    ['words', { sample: german }, '1.234,50 €'],
    ['words', { sample: english }, '1,234.50 €'],
    ['usual one', { formats: ['[$€-2] 0', '[$-F800]dddd'], sample: 'Umsatz' }, '1,234.50 €'],
    ['usual one', { language: 'x' }, '1,234.50 €'],
  ])('is by the %s: %j', (_by, words, shown) => {
    expect(showIn('#,##0.00 "€"', 1234.5, words)).toBe(shown);
  });

  it('is that of every number', () => {
    const words = { language: 'de' };
    expect(showIn('General', 1234.5, words)).toBe('1234,5');
    expect(showIn('0.00E+00', 1234.5, words)).toBe('1,23E+03');
    expect(showIn('0.0%', 0.125, words)).toBe('12,5%');
    expect(showIn('#,##0', 1_234_567, words)).toBe('1.234.567');
    expect(showIn('#,##0.00;(#,##0.00)', -1234.5, words)).toBe('(1.234,50)');
    expect(showIn('yyyy-mm-dd', 45_000, words)).toBe('2023-03-15');
  });
});
