export { CitedRows, type CitedPlace, type CitedRow } from './sql/cited-rows.port.js';
export { TableAnswers, type AnswerRow, type TableAnswer, type TableLookup } from './sql/table-answers.port.js';
export { TablesModule, TablesWorkModule } from './tables.module.js';
export { TableEngineModule } from './engine/table-engine.module.js';
export { calibrate, TABLE_FIT, TABLE_FIT_BESIDE_PROSE } from './question-rules/calibration.js';
export type { AnswerPart } from './question-rules/describe-answer.js';
export {
  PART_FUNCTIONS,
  PART_OPERATORS,
  PART_TASKS,
  type ConditionParts,
  type QueryParts,
} from './question-rules/query-parts.js';
