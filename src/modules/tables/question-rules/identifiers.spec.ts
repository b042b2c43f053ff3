import { describe, expect, it } from 'vitest';
import { isIdentifier } from './identifiers.js';
import type { QuestionColumn, QuestionTable } from './question-table.js';
import { readQuestion } from './read-question.js';

const numbers = (label: string, given: Partial<QuestionColumn> = {}): QuestionColumn => ({
  name: label.toLowerCase().replaceAll(/[^a-z]+/g, '_'),
  label,
  type: 'integer',
  unit: null,
  nullable: false,
  distinct: 6,
  min: 12,
  max: 4830,
  ...given,
});
const tableOf = (...columns: QuestionColumn[]): QuestionTable => ({
  name: 'calls',
  title: 'calls.csv',
  rowCount: 6,
  hasTotals: false,
  columns,
});

describe('a column of identifiers', () => {
  it.each([
    'ID',
    'Order no.',
    'Invoice Number',
    'Kundennummer',
    'ArtikelNr',
    'orderId',
    'customer_id',
    'Badge',
    'ZIP',
    'PLZ',
    'Telephone',
    'Serial',
    'SKU',
    '#',
  ])('is one by its header: %s', (label) => {
    const column = numbers(label, { distinct: 3 });
    expect(isIdentifier(column, tableOf(column))).toBe(true);
  });

  it.each([
    ['counted through', { min: 5001, max: 5006 }],
    ['counted through from one', { min: 1, max: 6 }],
    ['with gaps', { min: 7730, max: 7740 }],
    ['long ones of one length', { min: 4011873, max: 9830021 }],
  ])('is one by its values, whatever it is called: %s', (_what, given) => {
    const column = numbers('Vorgang', given);
    expect(isIdentifier(column, tableOf(column))).toBe(true);
  });

  it.each([
    ['Number of seats', {}],
    ['No. of units', {}],
    ['Population', { min: 120_000, max: 980_000 }],
    ['Seats', { min: 1, max: 6 }],
    ['Vorgang', { distinct: 4, min: 5001, max: 5006 }],
    ['Vorgang', { unit: 'EUR', min: 5001, max: 5006 }],
    ['Goals', { min: 0, max: 30 }],
  ])('is none: %s', (label, given) => {
    const column = numbers(label, given);
    expect(isIdentifier(column, tableOf(column))).toBe(false);
  });

  it('is never added up, and no other column is added up in its place', () => {
    const name: QuestionColumn = { ...numbers('Agent', { distinct: 2 }), type: 'text' };
    const found = [{ column: 'agent', value: 'Ada' }];
    const table = tableOf(name, numbers('Ticket', { min: 5001, max: 5006 }), numbers('Minutes'));
    const sqlOf = (question: string): string => {
      const reading = readQuestion(question, table, found);
      return reading === undefined || reading.open.length > 0 ? '' : reading.sql;
    };
    expect(sqlOf('How many tickets does Ada have?')).toContain('count(*)');
    expect(sqlOf('How many minutes did Ada have?')).toContain('sum(minutes)');
    for (const question of [
      'What is the total of the tickets?',
      'What is the sum of ticket of Ada?',
      'What is the average ticket?',
      'What is the total ticket of Ada?',
    ])
      expect(sqlOf(question), question).not.toMatch(/sum\(|avg\(/);
  });
});
