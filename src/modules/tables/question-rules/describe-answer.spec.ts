import { describe, expect, it } from 'vitest';
import { describeAnswer, type QueryAnswer } from './describe-answer.js';
import { isAboutTable } from './is-about-table.js';
import { phrasesOf } from './phrases/phrases-of.js';
import type { QuestionColumn, QuestionTable } from './question-table.js';
import type { TableQuery } from './table-query.js';
import { writeEvidence } from './write-evidence.js';

const column = (name: string, type: QuestionColumn['type'], unit: string | null = null): QuestionColumn => ({
  name,
  label: name[0]!.toUpperCase() + name.slice(1),
  type,
  unit,
  nullable: true,
  distinct: null,
  min: null,
  max: null,
});
const REGION = column('region', 'text');
const AMOUNT = column('amount', 'number', 'EUR');
const TABLE: QuestionTable = { name: 'sales', title: 'Sales', columns: [REGION, AMOUNT], rowCount: 9, hasTotals: true };
const NORTH = { kind: 'in', column: REGION, values: ['North'], not: false } as const;
const SUM: TableQuery = { kind: 'measure', table: TABLE, where: [NORTH], measure: { function: 'sum', column: AMOUNT } };
const COUNT: TableQuery = {
  kind: 'measure',
  table: TABLE,
  where: [],
  measure: { function: 'count', column: undefined },
};
const ROWS: TableQuery = {
  kind: 'rows',
  table: TABLE,
  where: [NORTH],
  columns: [REGION, AMOUNT],
  distinct: false,
  order: { by: AMOUNT, descending: true },
  limit: 2,
};

function textOf(query: TableQuery, answer: Partial<QueryAnswer>): string | undefined {
  const whole = { rows: [], truncated: false, evidence: [], counted: 0, ...answer };
  return describeAnswer(query, whole)
    ?.map(({ text, rows }) => text + rows.map((row) => `<${row}>`).join(''))
    .join('');
}

describe('an answer from a table', () => {
  it('gives a computed value with its unit, the number of its rows, and the number of uncited ones', () => {
    expect(textOf(SUM, { rows: [[0.1 + 0.2]], evidence: [[], []], counted: 2 })).toBe(
      'The sum of “Amount” in the table “Sales” where “Region” is “North” is 0.3 EUR, computed from 2 rows<0><1>.',
    );
    expect(textOf(SUM, { rows: [[12]], evidence: [[], []], counted: 7 })).toContain(
      '; 2 of these rows are cited and 5 more are not<0><1>.',
    );
    expect(textOf(SUM, { rows: [[12]], evidence: [[]], counted: 1 })).toBe(
      '“Amount” in the table “Sales” where “Region” is “North” is 12 EUR<0>.',
    );
  });

  it('lists rows, each with its own evidence, and says what is compared and left out', () => {
    const evidence = [
      ['North [1]', 5],
      ['North', null],
    ];
    expect(textOf(ROWS, { rows: [...evidence, ['North', 1]], evidence, counted: 4 })).toBe(
      '“Region”, “Amount” in the table “Sales” where “Region” is “North”, by “Amount”, the greatest first: ' +
        'North (1) (“Amount” 5 EUR)<0>; North (“Amount” no value)<1>; and 1 more. 4 rows were compared.',
    );
  });

  it('says of dates which come first, and beside each row what it is ordered by', () => {
    const by = { by: column('sold', 'date'), descending: false };
    const query: TableQuery = { ...ROWS, columns: [REGION], order: by, limit: 1 };
    expect(textOf(query, { rows: [['North']], evidence: [['North', '2024-02-01']], counted: 3 })).toContain(
      'the earliest first: North (“Sold” 2024-02-01)<0>',
    );
  });

  it('is none where no row or no value can be shown', () => {
    expect(textOf(SUM, { rows: [[5]] })).toBeUndefined();
    expect(textOf(SUM, { rows: [[null]], evidence: [[]], counted: 1 })).toBeUndefined();
  });

  it('is computed from the rows that meet the same conditions, without rows that sum up others', () => {
    expect(writeEvidence(SUM)).toEqual({
      rows: [
        `SELECT _document_id, _sheet, _row, _text_start, _text_end FROM sales WHERE region = 'North' AND amount IS NOT NULL AND NOT _total ORDER BY _row`,
      ],
      count: `SELECT count(*) FROM sales WHERE region = 'North' AND amount IS NOT NULL AND NOT _total`,
    });
    expect(writeEvidence({ ...ROWS, columns: [REGION] }).rows[0]).toMatch(
      /, region, amount FROM .* ORDER BY amount DESC, _row LIMIT 2$/,
    );
  });

  it('is about the table when a count of all rows names it', () => {
    expect(isAboutTable('How many sales are there?', COUNT)).toBe(true);
    expect(isAboutTable('How many rows are there?', COUNT)).toBe(true);
    expect(isAboutTable('How many employees are there?', COUNT)).toBe(false);
    expect(isAboutTable('How many employees are in North?', SUM)).toBe(true);
    const inNorth: TableQuery = { ...COUNT, where: [NORTH] };
    expect(isAboutTable('How many sales are in North?', inNorth)).toBe(true);
    expect(isAboutTable('How many North sales are there?', inNorth)).toBe(true);
    expect(isAboutTable('How many people are in North?', inNorth)).toBe(true);
    expect(isAboutTable('What is the number of rows with North?', inNorth)).toBe(true);
    expect(isAboutTable('How many dogs live in North?', inNorth)).toBe(false);
    const pumps = { ...COUNT, table: { ...TABLE, columns: [column('pumpe', 'text'), AMOUNT] } };
    expect(isAboutTable('how many Pumpen are there?', pumps)).toBe(true);
  });
});

describe('an answer from a table in another language', () => {
  const say = (language: string, query: TableQuery, answer: Partial<QueryAnswer>): string | undefined =>
    describeAnswer(query, { rows: [], truncated: false, evidence: [], counted: 0, ...answer }, phrasesOf(language))
      ?.map(({ text }) => text)
      .join('');
  const evidence = [
    ['North', 5],
    ['North', null],
  ];
  const listed = { rows: [...evidence, ['North', 1]], evidence, counted: 4 };
  const groups: TableQuery = {
    kind: 'groups',
    table: TABLE,
    where: [],
    by: REGION,
    measure: { function: 'sum', column: AMOUNT },
    descending: true,
    limit: 1,
    showMeasure: true,
    having: undefined,
  };

  it.each([
    ['de', 'Die Summe von „Amount“ in der Tabelle „Sales“ mit „Region“ = „North“ ist 12 EUR, berechnet aus 2 Zeilen.'],
    ['fr', 'La somme de « Amount » dans le tableau « Sales » où « Region » = « North » est 12 EUR, sur 2 lignes.'],
    ['es', 'La suma de «Amount» en la tabla «Sales» donde «Region» = «North» es 12 EUR, a partir de 2 filas.'],
    ['sv', 'The sum of “Amount” in the table “Sales” where “Region” is “North” is 12 EUR, computed from 2 rows.'],
  ])('says a computed value in %s', (language, text) => {
    expect(say(language, SUM, { rows: [[12]], evidence: [[], []], counted: 2 })).toBe(text);
  });

  it('says a single value, rows, groups, and what is not cited', () => {
    expect(say('de', SUM, { rows: [[12]], evidence: [[]], counted: 1 })).toBe(
      '„Amount“ in der Tabelle „Sales“ mit „Region“ = „North“: 12 EUR.',
    );
    expect(say('de', ROWS, listed)).toBe(
      '„Region“, „Amount“ in der Tabelle „Sales“ mit „Region“ = „North“, nach „Amount“, der größte Wert zuerst: ' +
        'North („Amount“ 5 EUR); North („Amount“ kein Wert); und 1 weitere. 4 Zeilen wurden verglichen.',
    );
    expect(say('es', groups, { rows: [['North', 12]], evidence: [['North', 5]], counted: 3 })).toBe(
      '«Region» con el valor mayor (la suma de «Amount» en la tabla «Sales»): North (12 EUR), a partir de 3 filas; 1 de estas filas está citada, 2 más no.',
    );
    expect(say('fr', { kind: 'exists', table: TABLE, where: [NORTH] }, { rows: [['no']], evidence: [[]] })).toBe(
      'Non: 0 lignes dans le tableau « Sales » où « Region » = « North ».',
    );
  });
});
