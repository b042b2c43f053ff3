import { describe, expect, it } from 'vitest';
import { defineErrors } from '#libs/common';
import { lastingRefusalOf, postponed } from './temporary-failures.js';

const errors = defineErrors('temporary_failures_spec', {
  away: { status: 503, title: 'Away', detail: () => 'It does not answer.' },
  spent: { status: 429, title: 'Spent', detail: () => 'The budget is used up.' },
  gone: { status: 404, title: 'Gone', detail: () => 'There is none.' },
});

describe('a failure of an evaluation', () => {
  it('is a postponement while it may pass, for as long as the refusal asks', () => {
    expect(postponed(errors.away({}))).toMatchObject({ message: 'It does not answer.', ms: 10_000 });
    expect(postponed(errors.spent({}, { retryAfter: 60 }))).toMatchObject({ ms: 60_000 });
    expect(postponed(errors.spent({}, { retryAfter: 999_999 }))).toMatchObject({ ms: 3_600_000 });
  });

  it('stays what it is otherwise', () => {
    const [gone, unknown] = [errors.gone({}), new Error('a defect')];
    expect([postponed(gone), postponed(unknown)]).toEqual([gone, unknown]);
  });

  it('ends a task only where another try would meet it again', () => {
    expect(lastingRefusalOf(errors.gone({}))?.code).toBe('temporary_failures_spec.gone');
    const others = [errors.away({}), errors.spent({}), new Error('a defect')].map(lastingRefusalOf);
    expect(others).toEqual([undefined, undefined, undefined]);
  });
});
