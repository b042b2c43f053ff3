import { expect, it } from 'vitest';
import { caseOf, withCase } from './kept-case.js';

it('a case is added, and a question that is there already gets the passage as well', () => {
  const first = caseOf('How long?', 'a', 'Six months.');
  const second = caseOf(' How  long? ', 'b', 'Half a year.');
  const other = caseOf('How much?', 'b', 'Ten.');
  expect(withCase([first], other)).toEqual([first, other]);
  expect(withCase([first, other], second)).toEqual([
    { ...first, answerable: true, relevant: [...first.relevant!, ...second.relevant!] },
    other,
  ]);
});
