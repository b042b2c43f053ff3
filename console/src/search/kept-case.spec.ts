import { expect, it } from 'vitest';
import { caseOf, isComplete, withCase } from './kept-case.js';

it('a case is added, and a question that is there already gets the passage as well', () => {
  const first = caseOf('How long?', 'a', 'Six months.');
  const second = caseOf(' How  long? ', 'b', 'Half a year.');
  const other = caseOf('How much?', 'b', 'Ten.');
  expect(withCase([first], other)).toEqual([first, other]);
  expect(withCase([first, other], second)).toEqual([
    { ...first, answerable: true, expected_answer: null, relevant: [...first.relevant!, ...second.relevant!] },
    other,
  ]);
});

it('a question that nothing answers holds no passage, and an expected answer stands beside those that are there', () => {
  const first = caseOf('How long?', 'a', 'Six months.');
  expect(withCase([first], { query: 'How long?', answerable: false })).toEqual([
    { ...first, answerable: false, relevant: [] },
  ]);
  expect(withCase([first], { query: 'How long?', expected_answer: 'Six months' })).toEqual([
    { ...first, answerable: true, expected_answer: 'Six months' },
  ]);
});

it('a case is complete with a passage, an answer, or word that there is none', () => {
  expect(isComplete({ query: 'q' })).toBe(false);
  expect(isComplete({ query: 'q', expected_answer: ' ' })).toBe(false);
  expect(isComplete({ query: 'q', expected_answer: 'Ten' })).toBe(true);
  expect(isComplete({ query: 'q', answerable: false })).toBe(true);
  expect(isComplete(caseOf('q', 'a', 's'))).toBe(true);
});
