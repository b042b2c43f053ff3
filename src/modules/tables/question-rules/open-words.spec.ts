import { describe, expect, it } from 'vitest';
import type { FoundValue, QuestionColumn, QuestionTable } from './question-table.js';
import { LEAST_CONFIDENCE, readQuestion } from './read-question.js';

const column = (label: string, given: Partial<QuestionColumn> = {}): QuestionColumn => ({
  name: label.toLowerCase().replaceAll(' ', '_'),
  label,
  type: 'text',
  unit: null,
  nullable: false,
  distinct: 4,
  min: null,
  max: null,
  ...given,
});

const SALES: QuestionTable = {
  name: 'sales',
  title: 'sales.csv',
  rowCount: 6,
  hasTotals: false,
  columns: [
    column('Region', { distinct: 2 }),
    column('Rep'),
    column('Revenue', { type: 'integer', min: 800, max: 2400 }),
    column('Closed', { type: 'date', min: '2024-01-15', max: '2025-01-10' }),
  ],
};
const FOUND: FoundValue[] = [
  ...['North', 'South'].map((value) => ({ column: 'region', value })),
  ...['Ida', 'Per', 'Lea', 'Tom'].map((value) => ({ column: 'rep', value })),
];
const ask = (question: string) => readQuestion(question, SALES, FOUND);

describe('a word that may restrict rows and has no place in the statement', () => {
  it.each([
    ['What is the total revenue in the West?', 'west'],
    ['What is the total revenue of North and West?', 'west'],
    ['What is the total revenue of Bob?', 'bob'],
    ['What is the revenue of Ida in Berlin?', 'berlin'],
    ['What is the total revenue in northern Germany?', 'northern germany'],
    ['What is the total revenue last year?', 'last year'],
    ['What is the total revenue in the last year?', 'last year'],
    ['What is the revenue of last month?', 'last month'],
    ['What was the revenue of the past 30 days?', 'past 30 days'],
    ['What is the total revenue this quarter?', 'this quarter'],
    ['Which rep had the highest revenue yesterday?', 'yesterday'],
    ['What is the total revenue in the second half of 2024?', 'second half'],
    ['What is the total revenue in summer?', 'summer'],
    ['What is the total revenue on Mondays?', 'mondays'],
    ['What is the total revenue before the accident?', 'before'],
    ['What is the total revenue after Ida?', 'after'],
    ['How many deals were not closed in February?', 'not'],
    ['Which reps did not sell more than 1000?', 'not'],
    ['What is the revenue of the North without returns?', 'without returns'],
    ['What is the average revenue of new customers?', 'new customers'],
    ['What is the total online revenue?', 'online'],
    ['What is the net revenue of Tom?', 'net'],
    ['How many accidents were there in the North?', 'accidents'],
    ['Which region has the most accidents?', 'accidents'],
    ['How many deals had more than 5 accidents?', 'accidents'],
    ['What is the total revenue of lost deals?', 'lost'],
    ['What is the total revenue per product?', 'per product'],
    ['Who has the second highest revenue?', 'second'],
    ['What is the highest profit?', 'profit'],
    ['What is the total profit in the North?', 'profit'],
    ['List the reps with less revenue than Lea in the West.', 'west'],
  ])('makes no answer: %s', (question, word) => {
    const reading = ask(question);
    expect(reading?.open).toContain(word);
    expect(reading!.confidence).toBeLessThan(LEAST_CONFIDENCE);
  });

  it.each([
    ['What is the total revenue?', 'SELECT sum(revenue) AS sum_revenue FROM sales'],
    ['What is the total revenue, in total, of all the reps?', 'SELECT sum(revenue) AS sum_revenue FROM sales'],
    ['Could you please tell me the total revenue of the North?', "WHERE region = 'North'"],
    ['What is the total revenue for region North?', "WHERE region = 'North'"],
    ['What is the total revenue not in the North?', "region IS DISTINCT FROM 'North'"],
    ['What is the total revenue excluding Lea?', "rep IS DISTINCT FROM 'Lea'"],
    ['What is the total revenue in February?', 'month(closed) = 2'],
    ['What is the total revenue in Feb 2024?', "closed BETWEEN '2024-02-01' AND '2024-02-29'"],
    ['What is the total revenue in January and March?', '(month(closed) = 1 OR month(closed) = 3)'],
    [
      'What is the total revenue in January and February 2024?',
      "(closed BETWEEN '2024-01-01' AND '2024-01-31' OR closed BETWEEN '2024-02-01' AND '2024-02-29')",
    ],
    ['What is the total revenue from January to February 2024?', "BETWEEN '2024-01-01' AND '2024-02-29'"],
    ['What is the total revenue between January 2024 and January 2025?', "BETWEEN '2024-01-01' AND '2025-01-31'"],
    ['What is the total revenue between January and March?', 'month(closed) BETWEEN 1 AND 3'],
    ['What is the total revenue in Q1 2024?', "closed BETWEEN '2024-01-01' AND '2024-03-31'"],
    ['What is the total revenue in the second quarter of 2024?', "closed BETWEEN '2024-04-01' AND '2024-06-30'"],
    ['What is the total revenue in the first quarter?', 'month(closed) BETWEEN 1 AND 3'],
    ['What is the total revenue before the 20th of February 2024?', "closed < '2024-02-20'"],
    ['What is the total revenue later than March 2024?', "closed > '2024-03-31'"],
    ['What is the total revenue in 2024 and 2025?', '(year(closed) = 2024 OR year(closed) = 2025)'],
    ["What is the total revenue in the 1970's?", "closed BETWEEN '1970-01-01' AND '1979-12-31'"],
    ["What is 2024's total revenue?", 'year(closed) = 2024'],
    ['How many deals have a revenue between 1000 and 2000?', 'revenue BETWEEN 1000 AND 2000'],
    ['How many deals did Lea close?', "count(*) AS count FROM sales WHERE rep = 'Lea'"],
    ['Which rep has the highest revenue?', 'ORDER BY revenue DESC, _row LIMIT 1'],
  ])('is none where each has its place: %s', (question, part) => {
    const reading = ask(question);
    expect(reading?.open).toEqual([]);
    expect(reading!.sql).toContain(part);
    expect(reading!.confidence).toBeGreaterThanOrEqual(LEAST_CONFIDENCE);
  });

  it('is never a year before or after which a number lies', () => {
    const table = { ...SALES, columns: SALES.columns.slice(0, 3) };
    for (const question of ['What is the total revenue before 2024?', 'What is the total revenue since 2024?'])
      expect(readQuestion(question, table, FOUND)?.open).toEqual(
        expect.arrayContaining([expect.stringContaining('2024')]),
      );
  });

  it('is “last year” of days, and the last one of a table of years', () => {
    const years = { ...SALES, columns: [column('Year', { type: 'integer', min: 1990, max: 2010 }), column('Winner')] };
    expect(readQuestion('Who was the winner in the last year?', years, [])?.open).toEqual([]);
    expect(readQuestion('How many winners were there last year?', years, [])?.open).toEqual(['last year']);
  });

  it('is “last day” of a stay in a table of dates, not its latest row', () => {
    const columns = [column('Date', { type: 'date' }), column('Asset'), column('Location'), column('Status')];
    const found = [{ column: 'location', value: 'Cabins' }];
    const question = 'By what time do we have to be out of our cabin on the last day?';
    expect(readQuestion(question, { ...SALES, columns }, found)?.open).not.toEqual([]);
  });

  it('reads months in either form in cells', () => {
    const months = { ...SALES, columns: [column('Month', { distinct: 6 }), column('Revenue', { type: 'integer' })] };
    const found = ['Jan', 'Feb', 'Mar', 'Sept'].map((value) => ({ column: 'month', value }));
    for (const [month, cell] of [
      ['January', 'Jan'],
      ['March', 'Mar'],
      ['September', 'Sept'],
    ])
      expect(readQuestion(`What is the revenue in ${month}?`, months, found)?.sql).toContain(`month = '${cell}'`);
  });
});
