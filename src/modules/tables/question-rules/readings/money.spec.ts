import { describe, expect, it } from 'vitest';
import { isAboutTable } from '../is-about-table.js';
import { frameInEnglish } from '../languages/frame-in-english.js';
import type { FoundValue, QuestionColumn, QuestionTable } from '../question-table.js';
import { LEAST_CONFIDENCE, readQuestion, type Reading } from '../read-question.js';

const column = (label: string, given: Partial<QuestionColumn> = {}): QuestionColumn => ({
  name: label.toLowerCase().replaceAll(/[^a-z0-9]+/g, '_'),
  label,
  type: 'text',
  unit: null,
  nullable: false,
  distinct: 5,
  min: null,
  max: null,
  ...given,
});
const amount = (label: string, given: Partial<QuestionColumn> = {}): QuestionColumn =>
  column(label, { type: 'number', min: 3, max: 640.5, distinct: 9, ...given });

function readingOf(question: string, table: QuestionTable, found: readonly FoundValue[]): Reading | undefined {
  const read = readQuestion(frameInEnglish(question), table, found);
  return read === undefined || read.open.length > 0 || read.confidence < LEAST_CONFIDENCE ? undefined : read;
}

describe('a question what was paid', () => {
  const WORKSHOP: QuestionTable = {
    name: 'workshop_2026',
    title: 'workshop-2026.csv',
    rowCount: 12,
    hasTotals: false,
    columns: [
      column('Device', { distinct: 12 }),
      column('Fault', { distinct: 11 }),
      column('Reported by'),
      column('Contractor'),
      column('State', { distinct: 2 }),
      column('Closed on', { type: 'date', min: '2026-01-04', max: '2026-05-20', distinct: 12 }),
      amount('Cost', { unit: 'EUR' }),
    ],
  };
  const found: FoundValue[] = [
    { column: 'device', value: 'Band saw' },
    { column: 'device', value: 'Drill 3' },
    { column: 'contractor', value: 'Holm Ltd' },
    { column: 'contractor', value: 'Ruiz' },
    { column: 'reported_by', value: 'Ruiz' },
    { column: 'reported_by', value: 'Petra' },
    { column: 'state', value: 'open' },
  ];
  const sum = `SELECT sum(cost) AS sum_cost FROM workshop_2026 WHERE contractor = 'Holm Ltd'`;

  it.each([
    ['How much did we pay Holm Ltd?', sum],
    ['How much have we paid Holm Ltd altogether?', sum],
    ['How much did Holm Ltd cost in total?', sum],
    ['How much did Holm Ltd charge us?', sum],
    ['How much was Holm Ltd paid?', sum],
    ['How much did we spend on the band saw?', `WHERE device = 'Band saw'`],
    ['How much did the band saw cost?', `WHERE device = 'Band saw'`],
    ['How much did we pay Holm Ltd in March 2026?', `'Holm Ltd' AND closed_on BETWEEN '2026-03-01' AND '2026-03-31'`],
    ['How much did we pay Holm Ltd according to the repair log?', sum],
    ['How much did we pay Holm Ltd according to the workshop list?', sum],
    ['Wie viel haben wir insgesamt an Holm Ltd gezahlt?', sum],
    ['Wie viel haben wir laut Reparaturliste an Holm Ltd bezahlt?', sum],
  ])('%s', (question, sql) => {
    const read = readingOf(question, WORKSHOP, found);
    expect(read?.sql).toContain(sql);
    expect(read?.assumptions).toContain('“Cost” is added up.');
  });

  it.each([
    'How much did we pay Ruiz?',
    'How much did Holm Ltd pay?',
    'How much did the drill cost?',
    'How much did we pay Holm?',
    'How much did we pay Berg Ltd?',
    'How much did we pay Holm Ltd last year?',
    'How much did we pay Holm Ltd for paint?',
    'How much did we pay Holm Ltd in Leeds?',
    'How much more did we pay Holm Ltd than Petra?',
    'How much did we pay everyone but Holm Ltd?',
    'How much did we pay Holm Ltd according to the invoice list?',
    'How much did we pay Holm Ltd according to the rota?',
    'How much does Holm Ltd cost per hour?',
    'How much will we pay Holm Ltd?',
    'Wie viel haben wir laut Preisliste an Holm Ltd bezahlt?',
  ])('is refused where it may be about something else: %s', (question) => {
    expect(readingOf(question, WORKSHOP, found)).toBeUndefined();
  });

  it('asks which of two amounts is meant, and who pays whom', () => {
    const two = { ...WORKSHOP, columns: [...WORKSHOP.columns, amount('Amount')] };
    expect(readingOf('How much did we pay Holm Ltd?', two, found)).toBeUndefined();

    const sales: QuestionTable = {
      ...WORKSHOP,
      name: 'sales',
      title: 'sales.csv',
      columns: [column('Customer'), amount('Amount')],
    };
    const customers = [{ column: 'customer', value: 'Holm Ltd' }];
    expect(readingOf('How much did Holm Ltd pay?', sales, customers)?.sql).toContain(`customer = 'Holm Ltd'`);
    expect(readingOf('How much did we bill Holm Ltd?', sales, customers)?.sql).toContain(`customer = 'Holm Ltd'`);
    expect(readingOf('How much did we pay Holm Ltd?', sales, customers)).toBeUndefined();
    expect(readingOf('How much did Holm Ltd charge us?', sales, customers)).toBeUndefined();
  });

  it('knows the rows by what they are called, as their headers show, and says so', () => {
    const open = readingOf('Which repairs have the state open?', WORKSHOP, found);
    expect(open?.sql).toContain(`SELECT device FROM workshop_2026 WHERE state = 'open'`);
    expect(open?.assumptions).toContain('“repairs” is taken for the rows of “workshop_2026”.');
    expect(readingOf('What is the most expensive repair?', WORKSHOP, found)?.sql).toContain('ORDER BY cost DESC');
    const counted = readingOf('How many repairs are open?', WORKSHOP, found);
    expect(counted?.sql).toContain(`count(*) AS count FROM workshop_2026 WHERE state = 'open'`);
    expect(isAboutTable('How many repairs are open?', counted!.query)).toBe(true);
    expect(readingOf('Welche Reparaturen sind open?', WORKSHOP, found)?.sql).toContain(`state = 'open'`);
  });

  it.each([
    'Which lathes have the state open?',
    'Which accidents have the state open?',
    'Which warranties have the state open?',
    'What is the most expensive printer?',
    'How many complaints are open?',
  ])('takes no other word for the rows: %s', (question) => {
    expect(readingOf(question, WORKSHOP, found)).toBeUndefined();
  });
});

describe('a question over a price list', () => {
  const HIRE: QuestionTable = {
    name: 'tool_hire',
    title: 'Tool hire',
    rowCount: 5,
    hasTotals: false,
    columns: [
      column('Tool', { distinct: 5 }),
      amount('1 hour'),
      amount('Half day (4 hours)'),
      amount('Full day'),
      amount('Week'),
      amount('Deposit'),
    ],
  };
  const found: FoundValue[] = [
    { column: 'tool', value: 'Small ladder' },
    { column: 'tool', value: 'Tall ladder' },
    { column: 'tool', value: 'Chainsaw (petrol)' },
  ];
  const saw = `FROM tool_hire WHERE tool = 'Chainsaw (petrol)'`;

  it.each([
    ['How much is the chainsaw for a whole day?', `SELECT full_day ${saw}`],
    ['How much is a chainsaw for one day?', `SELECT full_day ${saw}`],
    ['How much is a chainsaw per day?', `SELECT full_day ${saw}`],
    ['What does the chainsaw cost for half a day?', `SELECT half_day_4_hours_ ${saw}`],
    ['How much is the chainsaw for four hours?', `SELECT half_day_4_hours_ ${saw}`],
    ['How much is it to hire a chainsaw for an hour?', `SELECT 1_hour ${saw}`.replace('1_hour', '"1_hour"')],
    ['What would a chainsaw cost for a week?', `SELECT week ${saw}`],
    ['How much is the deposit for the chainsaw?', `deposit`],
    [
      'How much is a ladder for a full day?',
      `SELECT tool, full_day FROM tool_hire WHERE tool IN ('Small ladder', 'Tall`,
    ],
    ['Wie viel kostet die chainsaw für einen halben Tag?', `SELECT half_day_4_hours_ ${saw}`],
    ['Wie teuer ist die chainsaw pro Tag?', `SELECT full_day ${saw}`],
  ])('%s', (question, sql) => {
    expect(readingOf(question, HIRE, found)?.sql).toContain(sql);
  });

  it.each([
    'How much is the chainsaw for two hours?',
    'How much is the chainsaw for a whole month?',
    'How much is the chainsaw for three days?',
    'How much is the chainsaw for an hour and a half?',
    'How much is the chainsaw for a day and a week?',
    'How much is the chainsaw?',
    'How much is the ladder for two for a whole day?',
    'How much is the deposit for the chainsaw for a full day?',
    'How much is the electric chainsaw for a full day?',
    'How much is the wheelbarrow for a full day?',
    'How much is the chainsaw for a full day in winter?',
    'How much was the chainsaw for a full day in 2020?',
    'How much did the chainsaw cost for a full day?',
  ])('is refused where the time or the thing is not one of it: %s', (question) => {
    expect(readingOf(question, HIRE, found)).toBeUndefined();
  });

  it('says which column a time is taken for', () => {
    const read = readingOf('How much is the chainsaw for half a day?', HIRE, found);
    expect(read?.assumptions).toContain('“for half a day” is taken for “Half day (4 hours)”.');
  });

  it('needs no time where there is one price, and takes no cost of the past for it', () => {
    const prices = { ...HIRE, columns: [column('Tool'), amount('Price')] };
    expect(readingOf('How much is the chainsaw?', prices, found)?.sql).toContain('SELECT price FROM');
    expect(readingOf('How much does a chainsaw cost?', prices, found)?.sql).toContain('SELECT price FROM');
    const costs = { ...HIRE, columns: [column('Tool'), column('Fault'), amount('Cost')] };
    expect(readingOf('How much is a chainsaw?', costs, found)).toBeUndefined();
  });
});

describe('a question what has fallen below its bound', () => {
  const CELLAR: QuestionTable = {
    name: 'cellar_stock',
    title: 'Cellar stock',
    rowCount: 8,
    hasTotals: false,
    columns: [
      column('Wine', { distinct: 8 }),
      amount('Bottles in stock'),
      amount('Minimum stock'),
      amount('Price', { unit: 'EUR' }),
    ],
  };
  const below = 'WHERE bottles_in_stock < minimum_stock';

  it.each([
    ['Which wines have fallen below their minimum quantity?', below],
    ['Which wines in the cellar have dropped below the minimum level?', below],
    ['Which wines are running below the minimum stock?', below],
    ['Which wines have gone under their minimum?', below],
    ['Which wines have risen above their minimum?', 'WHERE bottles_in_stock > minimum_stock'],
    ['Which wines have not fallen below their minimum quantity?', 'WHERE bottles_in_stock >= minimum_stock'],
  ])('%s', (question, sql) => {
    expect(readingOf(question, CELLAR, [])?.sql).toContain(sql);
  });

  it('reads a quantity and its minimum in German too', () => {
    const table = {
      ...CELLAR,
      columns: [column('Wein', { distinct: 8 }), amount('Bestand'), amount('Mindestbestand')],
    };
    const sql = readingOf('Welche Weine sind unter den Mindestbestand gefallen?', table, [])?.sql;
    expect(sql).toContain('WHERE bestand < mindestbestand');
  });

  it.each([
    'Which wines in the attic have fallen below their minimum quantity?',
    'Which wines fell below their minimum last month?',
    'Which wines have fallen below their minimum price?',
    'Which wines have fallen off the shelf?',
    'Which wines have fallen below their minimum since May?',
  ])('is refused where something else restricts it: %s', (question) => {
    expect(readingOf(question, CELLAR, [])).toBeUndefined();
  });
});
