import { describe, expect, it } from 'vitest';
import { CALIBRATION } from './calibration.data.js';
import { calibrate } from './calibration.js';

describe('a calibrated confidence', () => {
  it('keeps the order of readings, from nothing to less than certainty', () => {
    const shares = Array.from({ length: 101 }, (_, index) => calibrate(index / 100));
    expect(shares).toEqual(shares.toSorted((a, b) => a - b));
    expect([calibrate(0), calibrate(-1)]).toEqual([0, 0]);
    expect(calibrate(1)).toBe(calibrate(7));
    expect(calibrate(1)).toBeLessThan(1);
  });

  it('goes through the points that were measured, which rise', () => {
    for (const [index, [fit, share]] of CALIBRATION.entries()) {
      expect(Math.abs(calibrate(fit) - share)).toBeLessThan(0.006);
      const before = CALIBRATION[index - 1];
      if (before !== undefined) expect([fit > before[0], share > before[1]]).toEqual([true, true]);
    }
  });
});
