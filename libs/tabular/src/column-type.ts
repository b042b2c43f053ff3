/** Types of columns. A percentage or an amount of money is a number as it is written; its sign is the column's unit. */
export const COLUMN_TYPES = ['integer', 'number', 'date', 'datetime', 'boolean', 'text'] as const;
export type ColumnType = (typeof COLUMN_TYPES)[number];

/** A value of a column: dates as `2026-11-23`, times as `2026-11-23T10:00:00.000` (UTC where the source names a zone). */
export type CellValue = string | number | boolean | null;
