import type { ParseWarning } from '../document-parser.port.js';
import type { UnseenLook } from '../output/unseen-text.js';
import type { SheetCell } from './sheet-cell.js';

/** Whether cells that a reader of the workbook does not see become text. */
export type HiddenPolicy = 'include' | 'exclude';

/** Columns from 1, ends included. */
interface ColumnRange {
  readonly first: number;
  readonly last: number;
  /** Hidden columns before it. */
  readonly before: number;
}

/** Ranges that are kept of one sheet; a file may name any number of them. */
const MOST_RANGES = 16_384;

/** What a reader of one sheet does not see: the sheet itself, columns, rows, and cells in the colour of their ground. */
export class HiddenCells {
  private readonly report: HiddenReport;
  private readonly isSheetHidden: boolean;
  private readonly columns: ColumnRange[] = [];
  private readonly columnsWithText = new Set<number>();

  constructor(report: HiddenReport, isSheetHidden: boolean) {
    this.report = report;
    this.isSheetHidden = isSheetHidden;
  }

  /** Whether hidden cells are left out. */
  get excludes(): boolean {
    return this.report.policy === 'exclude';
  }

  /** Says that columns are hidden, before the first row of the sheet; ranges grow. */
  hideColumns(first: number, last: number): void {
    const above = this.columns.at(-1);
    const isRange = Number.isInteger(first) && Number.isInteger(last) && last >= first;
    if (!isRange || first <= (above?.last ?? 0) || this.columns.length >= MOST_RANGES) return;
    const before = above === undefined ? 0 : above.before + above.last - above.first + 1;
    this.columns.push({ first, last, before });
  }

  /** Place of a column among those that are seen. */
  private placeOf(column: number): number {
    const range = this.columns[this.rangeUpTo(column)];
    if (range === undefined) {
      const last = this.columns.at(-1);
      return last === undefined ? column : column - last.before - (last.last - last.first + 1);
    }
    return column - range.before - Math.max(0, column - range.first);
  }

  /** What is left of a row when what is hidden is left out, or else all of it with what is known of each cell. Counts what is hidden. */
  see(cells: readonly SheetCell[], isRowHidden: boolean): readonly SheetCell[] {
    const isAllSeen = !isRowHidden && !this.isSheetHidden && this.columns.length === 0;
    if (isAllSeen && !cells.some(({ isInGroundColour }) => isInGroundColour === true)) return cells;
    const looked = cells.map((cell) => {
      const look = this.lookOf(cell.column, isRowHidden, cell.isInGroundColour === true);
      return look === undefined ? cell : { ...cell, look };
    });
    this.count(
      isRowHidden,
      looked.flatMap(({ look, column }) => (look === undefined ? [] : [column])),
    );
    if (looked.some(({ look }) => look === 'unseen_colour')) this.report.hasHiddenColour = true;
    if (!this.excludes) return looked;
    return looked.flatMap((cell) => (cell.look === undefined ? [{ ...cell, column: this.placeOf(cell.column) }] : []));
  }

  private lookOf(column: number, isRowHidden: boolean, isInGroundColour: boolean): UnseenLook | undefined {
    if (this.isSheetHidden || isRowHidden || this.isHidden(column)) return 'unseen_style';
    return isInGroundColour ? 'unseen_colour' : undefined;
  }

  /** Counts a row that holds text, and those of its cells that are hidden. */
  private count(isRowHidden: boolean, hidden: readonly number[]): void {
    if (isRowHidden && hidden.length > 0) this.report.counts.hidden_rows += 1;
    if (this.isSheetHidden && hidden.length > 0) this.report.hasHiddenSheet = true;
    this.report.counts.hidden_cells += hidden.length;
    for (const column of hidden) {
      if (!this.isHidden(column) || this.columnsWithText.has(column)) continue;
      this.columnsWithText.add(column);
      this.report.counts.hidden_columns += 1;
    }
  }

  private isHidden(column: number): boolean {
    const range = this.columns[this.rangeUpTo(column)];
    return range !== undefined && range.first <= column;
  }

  /** The first range that ends at a column or behind it. */
  private rangeUpTo(column: number): number {
    let [low, high] = [0, this.columns.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.columns[middle]!.last < column) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** What is hidden in a workbook. */
export class HiddenReport {
  /** Rows and columns that hold text, and cells. */
  readonly counts = { hidden_rows: 0, hidden_columns: 0, hidden_cells: 0 };
  /** Whether a sheet that holds text is hidden as a whole. */
  hasHiddenSheet = false;
  /** Whether text has the colour of its ground. */
  hasHiddenColour = false;

  readonly policy: HiddenPolicy;

  constructor(policy: HiddenPolicy = 'include') {
    this.policy = policy;
  }

  sheet(isHidden: boolean): HiddenCells {
    return new HiddenCells(this, isHidden);
  }

  warnings(): ParseWarning[] {
    const { hidden_cells: cells, hidden_rows: rows, hidden_columns: columns } = this.counts;
    if (cells === 0) return [];
    const where = [
      ...(this.hasHiddenSheet ? ['hidden sheets'] : []),
      ...counted(rows, 'hidden row'),
      ...counted(columns, 'hidden column'),
      ...(this.hasHiddenColour ? ['text in the colour of its background'] : []),
    ].join(', ');
    const isOne = cells === 1;
    const fate =
      this.policy === 'exclude'
        ? `${isOne ? 'was' : 'were'} left out`
        : `${isOne ? 'is' : 'are'} in the text; \`parsing.hidden: exclude\` leaves ${isOne ? 'it' : 'them'} out`;
    const detail = `${cells} ${isOne ? 'cell' : 'cells'} that a reader does not see (${where}) ${fate}.`;
    return [{ code: 'HIDDEN_CELLS', detail }];
  }
}

function counted(count: number, noun: string): string[] {
  return count === 0 ? [] : [`${count} ${noun}${count === 1 ? '' : 's'}`];
}
