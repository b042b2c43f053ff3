import { describe, expect, it } from 'vitest';
import type { QuestionColumn, QuestionTable } from './question-table.js';
import { rankTables, type TableSketch } from './rank-tables.js';

const column = (label: string, type: QuestionColumn['type'] = 'text'): QuestionColumn => ({
  name: label.toLowerCase().replaceAll(/[^a-z0-9]+/g, '_'),
  label,
  type,
  unit: null,
  nullable: false,
  distinct: 5,
  min: null,
  max: null,
});
const sketch = (name: string, columns: readonly QuestionColumn[], words: readonly string[]): TableSketch => ({
  table: { name, title: name, rowCount: 5, hasTotals: false, columns } satisfies QuestionTable,
  words,
});

describe('the tables that a question can be about', () => {
  const costs = Array.from({ length: 12 }, (_, index) =>
    sketch(`costs_${index}`, [column('Cost in total', 'number'), column('Paid to')], ['Rent', 'Power']),
  );

  it('has first the one that alone has a word of it in its cells', () => {
    const repairs = sketch(
      'repairs',
      [column('Device'), column('Firm'), column('Price', 'number')],
      ['Holm Ltd', 'Saw'],
    );
    const best = rankTables('How much did we pay Holm in total?', [...costs, repairs], 8);
    expect(best[0]?.table.name).toBe('repairs');
  });

  it('has the roster whose day is asked for, and the price list for that time, before many others', () => {
    const shifts = Array.from({ length: 12 }, (_, index) =>
      sketch(`shifts_${index}`, [column('Shift'), column('Working hours')], ['Night', 'Late']),
    );
    const roster = sketch(
      'plan',
      ['Name', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri'].map((label) => column(label)),
      ['N', 'L'],
    );
    const who = rankTables('Who is working the night shift on Thursday?', [...shifts, roster], 8);
    expect(who.map(({ table }) => table.name)).toContain('plan');
    const labels = ['Half day', 'Full day'].map((label) => column(label, 'number'));
    const hire = sketch('hire', [column('Boat'), ...labels], ['Canoe']);
    const days = Array.from({ length: 12 }, (_, index) =>
      sketch(`days_${index}`, [column('Day'), column('Canoe')], ['Canoe', 'whole']),
    );
    const price = rankTables('How much is a canoe for half a day?', [...days, hire], 8);
    expect(price.map(({ table }) => table.name)).toContain('hire');
  });
});
