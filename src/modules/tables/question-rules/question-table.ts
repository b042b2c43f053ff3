import type { CellValue, ColumnType } from '#libs/tabular';

/** A column as questions know it. */
export interface QuestionColumn {
  readonly name: string;
  readonly label: string;
  readonly type: ColumnType;
  readonly unit: string | null;
  readonly nullable: boolean;
  /** Different values; null: not known, or very many. */
  readonly distinct: number | null;
  readonly min: CellValue;
  readonly max: CellValue;
}

/** A table that questions can be about. */
export interface QuestionTable {
  readonly name: string;
  readonly title: string;
  readonly columns: readonly QuestionColumn[];
  /** Without those that sum up others. */
  readonly rowCount: number;
  /** Whether it has rows that sum up others, marked in `_total`. */
  readonly hasTotals: boolean;
}

/** A cell that has words of a question. */
export interface FoundValue {
  readonly column: string;
  readonly value: string;
}

/** Whether the values of a column tell rows apart. */
export function isKey({ distinct }: QuestionColumn, { rowCount }: QuestionTable): boolean {
  return distinct !== null && rowCount > 0 && distinct >= rowCount;
}

export function isNumeric({ type }: QuestionColumn): boolean {
  return type === 'number' || type === 'integer';
}

export function isTemporal(column: QuestionColumn): boolean {
  return column.type === 'date' || column.type === 'datetime' || isYears(column);
}

/** Whole numbers that are years. */
export function isYears({ type, min, max, unit }: QuestionColumn): boolean {
  return (
    type === 'integer' &&
    unit === null &&
    typeof min === 'number' &&
    typeof max === 'number' &&
    min >= 1000 &&
    max <= 2200 &&
    max - min < 600
  );
}
