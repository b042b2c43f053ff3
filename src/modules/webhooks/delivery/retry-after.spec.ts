import { describe, expect, it } from 'vitest';
import { DeliveryRules } from './delivery-rules.js';
import { secondsToWait } from './webhook-sender.service.js';

const NOW = Date.parse('2026-01-05T09:30:00Z');

describe('Retry-After', () => {
  it.each([
    ['120', 120],
    [' 7 ', 7],
    ['0', 0],
    ['999999999', 999_999_999],
    ['Mon, 05 Jan 2026 09:31:30 GMT', 90],
    ['Monday, 05-Jan-26 09:31:30 GMT', 90],
  ])('%j asks for %d seconds', (header, seconds) => {
    expect(secondsToWait(header, NOW)).toBe(seconds);
  });

  it.each([undefined, '', '-5', '1.5', '1e3', 'soon', '2026-01-06', 'Mon, 05 Jan 2026 09:29:00 GMT', '12345678901234'])(
    '%j asks for nothing',
    (header) => {
      expect(secondsToWait(header, NOW)).toBeNull();
    },
  );

  it('makes a pause longer, never shorter, up to a day, and adds no attempt', () => {
    const rules = new DeliveryRules(1_000, [10, 100]);
    expect(rules.pauseAfter(1, 60)).toBe(60);
    expect(rules.pauseAfter(2, 60)).toBeGreaterThanOrEqual(100);
    expect(rules.pauseAfter(1, 10 ** 9)).toBe(24 * 3600);
    expect(rules.pauseAfter(3, 60)).toBeNull();
    expect(new DeliveryRules(1_000, [100 * 3600]).pauseAfter(1, 10 ** 9)).toBeGreaterThanOrEqual(100 * 3600);
  });
});
