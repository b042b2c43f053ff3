import { describe, expect, it } from 'vitest';
import { chooseReading, type RivalReading } from './choose-reading.js';
import { readQuestion } from './read-question.js';
import type { QuestionColumn, QuestionTable } from './question-table.js';

const of = (table: string, confidence: number, anchors: number, rows: readonly string[] = [table]): RivalReading => ({
  reading: {
    table,
    confidence,
    anchors,
    query: {
      kind: 'exists',
      table: { name: 't', title: '', columns: [], rowCount: 0, hasTotals: false },
      where: [],
    },
    kind: 'rows',
    sql: '',
    explanation: '',
    assumptions: [],
    wordConditions: 0,
    unexplained: [],
    open: [],
  },
  rows,
});

describe('a reading of one of several tables', () => {
  it('is the one with the highest confidence, with an assumption where another one could be meant', () => {
    const chosen = chooseReading([of('ferries', 0.7, 2), of('harbours', 0.9, 2)], 2);
    expect(chosen).toMatchObject({ ambiguous: [], reading: { table: 'harbours', confidence: 0.9 } });
    expect(chosen?.reading.assumptions).toEqual(['The table “harbours” is meant, not “ferries”.']);
  });

  it('is that of the table with more words of the question where both are about as sure', () => {
    const chosen = chooseReading([of('ferries', 0.9, 1), of('harbours', 0.88, 2)], 2);
    expect(chosen).toMatchObject({ ambiguous: [], reading: { table: 'harbours' } });
    expect(chosen!.reading.confidence).toBeLessThan(0.88);
  });

  it('is ambiguous where several tables fit equally, and where no table has a word of it', () => {
    expect(chooseReading([of('ferries', 0.9, 2), of('harbours', 0.88, 2)], 2)?.ambiguous).toEqual([
      'ferries',
      'harbours',
    ]);
    expect(chooseReading([of('ferries', 0.9, 0)], 5)?.ambiguous).toEqual(['ferries']);
    expect(chooseReading([of('ferries', 0.9, 0)], 1)?.ambiguous).toEqual([]);
  });

  it('does not compete with another one over the same rows', () => {
    const all = of('ferries_all', 0.9, 1, ['a', 'b']);
    const parts = [of('ferries_a', 0.9, 1, ['a']), of('ferries_b', 0.9, 1, ['b'])];
    expect(chooseReading([all, ...parts], 2)).toMatchObject({ ambiguous: [], reading: { table: 'ferries_all' } });
    expect(chooseReading([of('all', 0.9, 0, ['a', 'b'])], 2)?.ambiguous).toEqual([]);
    expect(chooseReading([], 3)).toBeUndefined();
  });
});

describe('a question over several columns', () => {
  const column = (label: string, given: Partial<QuestionColumn> = {}): QuestionColumn => ({
    name: label.toLowerCase().replaceAll(' ', '_'),
    label,
    type: 'number',
    unit: null,
    nullable: false,
    distinct: 9,
    min: 1,
    max: 90,
    ...given,
  });
  const table = (...columns: QuestionColumn[]): QuestionTable => ({
    name: 'matches',
    title: 'matches.csv',
    rowCount: 10,
    hasTotals: false,
    columns: [column('Match', { type: 'text', distinct: 10, min: null, max: null }), ...columns],
  });

  it('names the other columns that fit as well, and has less confidence', () => {
    const unclear = readQuestion('What is the highest score?', table(column('Home score'), column('Guest score')), []);
    const clear = readQuestion('What is the highest score?', table(column('Home score'), column('Guest seats')), []);
    expect(unclear!.assumptions).toContain('“score” means “Home score”, though “Guest score” fits as well.');
    expect(unclear!.confidence).toBeLessThan(clear!.confidence);
    expect(clear!.assumptions).toEqual([]);
  });

  it('does not answer who with a time', () => {
    const years = table(column('Season', { type: 'text', min: null, max: null }));
    const who = readQuestion('Who came first?', { ...years, columns: years.columns.slice(1) }, []);
    expect(who).toBeUndefined();
  });
});
