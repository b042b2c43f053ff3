export { CitedRows, type CitedPlace, type CitedRow } from './cited-rows.port.js';
export { TableAnswers, type AnswerRow, type TableAnswer, type TableLookup } from './table-answers.port.js';
export { TablesModule, TablesWorkModule } from './tables.module.js';
