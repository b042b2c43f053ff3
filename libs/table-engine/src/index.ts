export { MAX_STATEMENT_LENGTH } from './guard/text-bounds.js';
export { ProcessTableEngine } from './pool/process-table-engine.js';
export { sqlErrors } from './sql.errors.js';
export { TableEngineModule } from './table-engine.module.js';
export {
  RESULT_TYPES,
  TableEngine,
  type CellValue,
  type EngineTable,
  type ResultColumn,
  type ResultType,
  type RowSource,
  type SourceDocument,
  type TableEngineState,
  type TableResult,
  type TableStatement,
  type WithTableFile,
} from './table-engine.port.js';
