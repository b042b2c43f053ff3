import { CALIBRATION } from './calibration.data.js';

/**
 * Share of readings with this fit that are right: a line through the points that `bench/tables/calibrate.ts` measured, so that readings keep
 * their order.
 * @param fit From 0 to 1, as readings have it.
 */
export function calibrate(fit: number): number {
  const within = Math.min(1, Math.max(0, fit));
  const at = Math.max(
    1,
    CALIBRATION.findIndex(([place]) => place >= within),
  );
  const [[from, low], [to, high]] = [CALIBRATION[at - 1]!, CALIBRATION[at]!];
  return Math.round((low + ((within - from) / (to - from)) * (high - low)) * 100) / 100;
}

/** How well a reading has to fit, from 0 to 1, for a table to answer where nothing else does. Figures: docs/performance.md. */
export const TABLE_FIT = 0.75;
/** From here on, with every word of the question accounted for, it answers although prose answers too. */
export const TABLE_FIT_BESIDE_PROSE = 0.85;
