export { COLUMN_TYPES, type CellValue, type ColumnType } from './column-type.js';
export { isTypedColumn } from './column-evidence.js';
export { DISTINCT_COUNTED, ColumnProfiler, type ColumnProfile } from './column-profile.js';
export { findHead as findTableHead, type TableHead } from './header-rows.js';
export { roleOf as tableRowRole, type RowRole } from './row-roles.js';
export { identifierOf } from './column-names.js';
export {
  REPAIR_CODES,
  type RawRow,
  type Repair,
  type RepairCode,
  type TableLimits,
  type TableRules,
} from './raw-table.js';
export { TableScan, type PlannedColumn, type TablePlan } from './table-plan.js';
export { TableReader, type TypedRow } from './table-reader.js';
