import { isAbsent } from './cell-text.js';
import { lacksDay, lacksUnit, readValue } from './column-evidence.js';
import type { CellValue } from './column-type.js';
import { Repairs, type RawRow, type Repair } from './raw-table.js';
import { roleOf, totalLabelAt } from './row-roles.js';
import type { TablePlan } from './table-plan.js';

/** A row of values, in the order of the plan's columns. */
export interface TypedRow {
  readonly row: number;
  readonly values: readonly CellValue[];
  /** It sums up others. */
  readonly isTotal: boolean;
}

/** Reads the rows of a table by its plan, in the order in which they were scanned. */
export class TableReader {
  private readonly repairs = new Repairs();
  private seen = 0;

  constructor(private readonly plan: TablePlan) {}

  /** The next row's values; undefined when it holds none. */
  read({ row, cells: raw }: RawRow): TypedRow | undefined {
    this.seen += 1;
    const { plan } = this;
    if (this.seen <= plan.rowsAbove || this.seen > plan.rowsTaken) return undefined;
    const cells = raw.slice(0, plan.width).map((cell) => cell.trim());
    const role = roleOf(cells, plan.labels.length, plan.labels);
    if (role === 'section') this.repairs.note('section_rows', { row });
    if (role === 'note') this.repairs.note('note_rows', { row });
    if (role === 'header') this.repairs.note('header_repeated', { row });
    if (role !== 'row' && role !== 'total') return undefined;
    if (!plan.hasGrid && raw.length < plan.labels.length) this.repairs.note('short_rows', { row });
    if (plan.labels.length > 0 && raw.length > plan.labels.length && raw.slice(plan.labels.length).some(hasText)) {
      this.repairs.note('long_rows', { row });
    }
    const named = role === 'total' ? totalLabelAt(cells) : -1;
    const values = plan.columns.map(({ index, name, reading }) => {
      const cell = cells[index] ?? '';
      const value = readValue(cell, reading);
      if (mayLackDay(value) && lacksDay(cell, reading)) this.repairs.note('day_missing', { column: name, row });
      if (value !== undefined && value !== null && lacksUnit(cell, reading))
        this.repairs.note('unit_missing', { column: name, row });
      if (value !== undefined) return value;
      if (!isAbsent(cell) && index !== named) this.repairs.note('unreadable_values', { column: name, row });
      return null;
    });
    return { row, values, isTotal: role === 'total' };
  }

  /** What was repaired, the plan's repairs included. */
  repaired(): Repair[] {
    return [...this.plan.repairs, ...this.repairs.list()];
  }
}

/** The first day of a month. */
function mayLackDay(value: CellValue | undefined): boolean {
  return typeof value === 'string' && /^\d{4}-\d\d-01(?:T|$)/.test(value);
}

function hasText(cell: string): boolean {
  return /\S/.test(cell);
}
