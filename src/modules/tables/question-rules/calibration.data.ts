/** How well a reading fits, and how often such readings are right. Written by bench/tables/calibrate.ts from odd questions of WikiTableQuestions and bench/tables. */
export const CALIBRATION: readonly (readonly [fit: number, share: number])[] = [
  [0, 0],
  [0.682, 0.68],
  [0.789, 0.737],
  [0.878, 0.86],
  [0.94, 0.894],
  [1, 0.914],
];
