export { chooseReading, type ChosenReading, type RivalReading } from './choose-reading.js';
export { judgeResult } from './judge-result.js';
export { MAX_PROBED_VALUES, probeStatement } from './probe-values.js';
export type { FoundValue, QuestionColumn, QuestionTable } from './question-table.js';
export { rankColumns } from './rank-columns.js';
export { rankTables, type TableSketch } from './rank-tables.js';
export { LEAST_CONFIDENCE, readQuestion, type Reading } from './read-question.js';
