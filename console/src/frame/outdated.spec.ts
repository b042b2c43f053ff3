import { expect, it } from 'vitest';
import { Problem } from '../api/problem.js';
import { isAnyOutdated } from './outdated.js';

it.each([
  ['what is shown and cannot be fetched again', true, 'processing', new Problem(503, undefined), true],
  ['nothing that is up to date', true, 'processing', null, false],
  ['nothing that no page shows any more', false, 'processing', new Problem(503, undefined), false],
  ['nothing that was never fetched: the page shows its error', true, undefined, new Problem(503, undefined), false],
  ['nothing that was refused: the page shows its error', true, 'processing', new Problem(404, undefined), false],
])('is out of date: %s', (_, isActive, data, error, expected) => {
  expect(isAnyOutdated([{ isActive: () => isActive, state: { data, error } }])).toBe(expected);
});
