import { describe, expect, it } from 'vitest';
import { judgeResult } from './judge-result.js';
import type { Reading } from './read-question.js';

const reading = (given: Partial<Reading>): Reading => ({
  table: 't',
  query: {
    kind: 'exists',
    table: { name: 't', title: '', columns: [], rowCount: 0, hasTotals: false },
    where: [],
  },
  kind: 'rows',
  sql: '',
  explanation: '',
  assumptions: [],
  confidence: 0.9,
  wordConditions: 1,
  anchors: 2,
  unexplained: [],
  open: [],
  ...given,
});

describe('a reading whose rows are known', () => {
  it('keeps its confidence when they fit', () => {
    expect(judgeResult('Which towns are in Kent?', reading({}), [['A'], ['B']])).toBe(0.9);
    expect(judgeResult('Which town is in Kent?', reading({}), [['A']])).toBe(0.9);
  });

  it('loses confidence when nothing is found for several words, and when several rows are found where one is meant', () => {
    expect(judgeResult('Which towns?', reading({ wordConditions: 2 }), [])).toBeLessThan(0.6);
    expect(judgeResult('How many?', reading({ kind: 'measure', wordConditions: 2 }), [[0]])).toBeLessThan(0.6);
    expect(judgeResult('Which towns are in Kent?', reading({}), [])).toBeLessThan(0.6);
    expect(judgeResult('How many are in Kent?', reading({ kind: 'measure' }), [[0]])).toBe(0.9);
    expect(judgeResult('Which town is in Kent?', reading({}), [['A'], ['B']])).toBeLessThan(0.9);
  });

  it('may find nothing for a number, and say no', () => {
    expect(judgeResult('Which towns have more than 9 gates?', reading({ wordConditions: 0 }), [])).toBe(0.9);
    expect(judgeResult('Is A in Kent?', reading({ kind: 'exists', wordConditions: 2 }), [['no']])).toBe(0.9);
  });

  it('is rejected when it finds far more rows than a question about one thing can mean', () => {
    expect(judgeResult('Who came after Ada?', reading({ kind: 'neighbour', wordConditions: 0 }), [])).toBeLessThan(0.6);
    const many = Array.from({ length: 40 }, (_, index) => [index]);
    expect(judgeResult('What is the score in 2010?', reading({}), many)).toBeLessThan(0.6);
    expect(judgeResult('List the scores in 2010.', reading({}), many)).toBe(0.9);
    expect(judgeResult('Which players scored in 2010?', reading({}), many)).toBe(0.9);
  });
});
