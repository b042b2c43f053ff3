import { ColumnEvidence, type ColumnReading, type TableHabits } from './column-evidence.js';
import { columnNames, identifierOf } from './column-names.js';
import type { ColumnType } from './column-type.js';
import { findHead, type TableHead } from './header-rows.js';
import { Repairs, type RawRow, type Repair, type TableLimits, type TableRules } from './raw-table.js';
import { roleOf, totalLabelAt } from './row-roles.js';
import { isUnit } from './unit-names.js';

/** A column and how its cells are read. */
export interface PlannedColumn {
  /** Column of the source, from 0. */
  readonly index: number;
  readonly name: string;
  readonly label: string;
  readonly reading: ColumnReading;
}

/** How a table is read: what `TableScan` makes and `TableReader` follows. */
export interface TablePlan {
  readonly title: string | undefined;
  /** Rows of the source above the first row of values. */
  readonly rowsAbove: number;
  readonly labels: readonly string[];
  /** Columns of the source. */
  readonly width: number;
  readonly columns: readonly PlannedColumn[];
  /** Rows of the source that are read; later ones are left out. */
  readonly rowsTaken: number;
  readonly hasGrid: boolean;
  readonly repairs: readonly Repair[];
}

/** Rows that are held to find the header. */
const ROWS_HELD = 40;
const UNIT_IN_LABEL =
  /[[(]\s*(?:in\s+)?([%‰€$£¥]|[\p{L}µ°€$£¥][\p{L}\p{N}µ°²³/.·%-]{0,11}(?: [%€$£¥\p{L}.]{1,8})?)\s*[)\]]\s*$/u;

/** Reads a table once, row by row, to learn how to read it; holds its first rows and counts. */
export class TableScan {
  private held: RawRow[] | undefined = [];
  private head: TableHead = { titleRows: 0, headerRows: 0, labels: [], title: undefined };
  private readonly evidence: ColumnEvidence[] = [];
  private readonly repairs = new Repairs();
  private width = 0;
  private taken = 0;
  private cells = 0;
  private body = 0;
  private leftOut = 0;
  private widestCut = 0;

  constructor(
    private readonly rules: TableRules,
    private readonly limits: TableLimits,
  ) {}

  /** Takes the next row. */
  add(row: RawRow): void {
    const { maxColumns, maxRows, maxCells } = this.limits;
    if (this.taken >= maxRows || this.cells >= maxCells) {
      this.leftOut += 1;
      return;
    }
    this.taken += 1;
    this.widestCut = Math.max(this.widestCut, row.cells.length - maxColumns);
    const cut = { row: row.row, cells: row.cells.slice(0, maxColumns).map(trimmed) };
    this.cells += cut.cells.length;
    if (this.held === undefined) return this.take(cut);
    this.held.push(cut);
    if (this.held.length >= ROWS_HELD) this.release();
  }

  /** Rows beyond the limits, so far. */
  get rowsLeftOut(): number {
    return this.leftOut;
  }

  /** The plan, or undefined when there is no row of values. */
  finish(): TablePlan | undefined {
    if (this.held !== undefined) this.release();
    if (this.body === 0) return undefined;
    const labels = Array.from({ length: this.width }, (_, index) => this.head.labels[index] ?? '');
    const used = labels.flatMap((label, index) =>
      label !== '' || (this.evidence[index]?.hasCells ?? false) ? [index] : [],
    );
    if (used.length === 0) return undefined;
    const names = columnNames(used.map((index) => labels[index]!));
    this.noteHead(labels, used);
    const habits = this.habits();
    const columns = used.map((index, at): PlannedColumn => {
      const [label, name] = [labels[index]!, names[at]!];
      const evidence = this.evidence[index] ?? new ColumnEvidence();
      const reading = evidence.decide(habits, this.forcedType(label, name), unitOf(label));
      if (reading.areUnitsMixed) this.repairs.note('units_mixed', { column: name });
      if (reading.isOrderGuessed) this.repairs.note('date_order_guessed', { column: name });
      return { index, name, label, reading };
    });
    return {
      title: this.head.title,
      rowsAbove: this.head.titleRows + this.head.headerRows,
      labels: this.head.labels,
      width: this.width,
      columns,
      rowsTaken: this.taken,
      hasGrid: this.rules.hasGrid,
      repairs: this.repairs.list(),
    };
  }

  private release(): void {
    const held = this.held ?? [];
    this.held = undefined;
    this.head = findHead(
      held.map(({ cells }) => cells),
      this.rules.headerRows,
      this.rules.markedRows ?? undefined,
    );
    const { titleRows, headerRows } = this.head;
    this.width = this.head.labels.length;
    if (this.width === 0) this.width = Math.max(0, ...held.map(({ cells }) => cells.length));
    for (const row of held.slice(titleRows + headerRows)) this.take(row);
  }

  private take({ cells }: RawRow): void {
    const role = roleOf(cells, this.width, this.head.labels);
    if (role !== 'row' && role !== 'total') return;
    this.body += 1;
    const named = role === 'total' ? totalLabelAt(cells) : -1;
    for (let index = 0; index < cells.length; index += 1) {
      const cell = cells[index]!;
      if (cell === '') continue;
      this.width = Math.max(this.width, index + 1);
      // `Total` below dates makes no words of them.
      if (index === named) continue;
      const evidence = (this.evidence[index] ??= new ColumnEvidence());
      evidence.add(cell);
    }
  }

  private noteHead(labels: readonly string[], used: readonly number[]): void {
    const { titleRows, headerRows } = this.head;
    if (titleRows > 0) this.repairs.note('title_rows', { count: titleRows });
    if (headerRows === 0) this.repairs.note('header_missing');
    if (headerRows > 1) this.repairs.note('header_joined', { count: headerRows });
    if (used.length < this.width) this.repairs.note('empty_columns', { count: this.width - used.length });
    const wanted = used.map((index) => identifierOf(labels[index]!)).filter((name) => name !== '');
    const doubled = wanted.length - new Set(wanted).size;
    if (doubled > 0) this.repairs.note('header_duplicated', { count: doubled });
    if (this.widestCut > 0) this.repairs.note('columns_left_out', { count: this.widestCut });
    if (this.leftOut > 0) this.repairs.note('rows_left_out', { count: this.leftOut });
  }

  private habits(): TableHabits {
    const styles = this.evidence.flatMap((column) => column?.decidedStyle ?? []);
    const orders = this.evidence.flatMap((column) => column?.decidedOrder ?? []);
    return { numberStyle: only(styles), dateOrder: only(orders), language: this.rules.language };
  }

  private forcedType(label: string, name: string): ColumnType | undefined {
    return this.rules.types.get(label.toLowerCase()) ?? this.rules.types.get(name);
  }
}

/** The unit that a label names at its end. */
function unitOf(label: string): string | undefined {
  const unit = UNIT_IN_LABEL.exec(label)?.[1] ?? (/(?:^|\s)([%€$£])$/.exec(label)?.[1] || undefined);
  return unit !== undefined && isUnit(unit) ? unit : undefined;
}

function only<T>(values: readonly T[]): T | undefined {
  return new Set(values).size === 1 ? values[0] : undefined;
}

function trimmed(cell: string): string {
  return cell.trim();
}
