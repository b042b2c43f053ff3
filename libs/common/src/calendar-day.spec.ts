import { describe, expect, it } from 'vitest';
import { isMoment, isWrittenMoment } from './calendar-day.js';

describe('a moment', () => {
  it.each(['2026-11-27T10:00:00Z', '2024-02-29T23:59:59.999+14:00', '0001-01-01T00:00:00Z', '9999-12-31T23:59:59Z'])(
    'is %s',
    (text) => {
      expect(isMoment(text)).toBe(true);
    },
  );

  it.each([
    '2026-02-30T00:00:00Z',
    '2026-12-31T23:59:60Z',
    '0000-06-01T00:00:00Z',
    '0001-01-01T00:00:00+14:00',
    '9999-12-31T23:59:59-14:00',
    '+010000-01-01T00:00:00.000Z',
    'tomorrow',
  ])('is not %s', (text) => {
    expect(isMoment(text)).toBe(false);
  });

  it('as the service writes it has milliseconds and is in UTC', () => {
    expect(isWrittenMoment('2026-11-27T10:00:00.000Z')).toBe(true);
    for (const other of ['2026-11-27T10:00:00Z', '2026-11-27T10:00:00.000+00:00', '+010000-01-01T00:00:00.000Z']) {
      expect(isWrittenMoment(other), other).toBe(false);
    }
  });
});
