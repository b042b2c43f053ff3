/** The rules that read questions over tables, and tables to ask, for measurements outside of this module. */
export { MemoryDatabase } from '../engine/testing/memory-database.js';
export { calibrate, TABLE_FIT, TABLE_FIT_BESIDE_PROSE } from '../question-rules/calibration.js';
export { chooseReading, type RivalReading } from '../question-rules/choose-reading.js';
export { isAboutTable } from '../question-rules/is-about-table.js';
export { judgeResult } from '../question-rules/judge-result.js';
export { probeStatement } from '../question-rules/probe-values.js';
export type { FoundValue, QuestionTable } from '../question-rules/question-table.js';
export { LEAST_CONFIDENCE, readQuestion, type Reading } from '../question-rules/read-question.js';
