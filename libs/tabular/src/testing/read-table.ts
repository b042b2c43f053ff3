import type { RawRow, TableRules } from '../raw-table.js';
import { TableScan } from '../table-plan.js';
import { TableReader } from '../table-reader.js';

const LIMITS = { maxColumns: 200, maxRows: 1_000_000, maxCells: 10_000_000 };
const RULES: TableRules = { headerRows: 'auto', markedRows: null, types: new Map(), language: null, hasGrid: false };

/** Reads lines of cells as a table: what a step does in two passes. */
export function readTable(lines: readonly (readonly string[])[], rules: Partial<TableRules> = {}, limits = LIMITS) {
  const rows: RawRow[] = lines.map((cells, index) => ({ row: index + 1, cells }));
  const scan = new TableScan({ ...RULES, ...rules }, limits);
  for (const row of rows) scan.add(row);
  const plan = scan.finish();
  if (plan === undefined) return undefined;
  const reader = new TableReader(plan);
  const read = rows.flatMap((row) => reader.read(row) ?? []);
  return {
    title: plan.title,
    columns: plan.columns.map(({ name, label, reading }) => ({ name, label, type: reading.type, unit: reading.unit })),
    rows: read.map(({ values }) => values),
    read,
    repaired: reader.repaired(),
  };
}

/** The column that values below a header make. */
export function readColumn(values: readonly string[], rules: Partial<TableRules> = {}) {
  const table = readTable([['Header', 'Row'], ...values.map((value, index) => [value, `r${index}`])], {
    headerRows: 1,
    ...rules,
  })!;
  const { type, unit } = table.columns[0]!;
  return { type, unit, values: table.rows.map(([value]) => value), repaired: table.repaired };
}
