import { ApiProperty } from '@nestjs/swagger';
import { COLUMN_TYPES, REPAIR_CODES, type CellValue, type ColumnType, type RepairCode } from '#libs/tabular';

const COUNT = { type: 'integer', minimum: 0 } as const;
const CELL = { anyOf: ['string', 'number', 'boolean', 'null'].map((type) => ({ type })) };
const NAME = { type: String, minLength: 1, maxLength: 128 } as const;

/** A column of a table. */
export class TableColumn {
  /** Name of the column in SQL statements: lower-case letters, digits and underscores; unique in the table. */
  @ApiProperty(NAME)
  name!: string;

  /** Header of the column in the document; headers of several rows are joined by a space. */
  @ApiProperty({ type: String })
  label!: string;

  /** Type, derived from the values of the whole column. A percentage or an amount of money is a number, with the sign as `unit`. */
  @ApiProperty({ enum: COLUMN_TYPES, enumName: 'ColumnType' })
  type!: ColumnType;

  /** Unit beside the numbers, for example `%`, `EUR` or `kg`; null where there is none, or not the same everywhere. */
  @ApiProperty({ type: String, nullable: true })
  unit!: string | null;

  /** Whether some rows have no value. */
  @ApiProperty({ type: Boolean })
  nullable!: boolean;
}

/** Values of a column; rows that sum up others are not counted. */
export class TableColumnProfile {
  /** Number of rows without a value. */
  @ApiProperty(COUNT)
  nulls!: number;

  /** Number of different values; null beyond 10,000. */
  @ApiProperty({ ...COUNT, nullable: true })
  distinct!: number | null;

  /** Lowest value, for texts by their code units; null where there is none. */
  @ApiProperty(CELL)
  min!: CellValue;

  /** Highest value; null where there is none. */
  @ApiProperty(CELL)
  max!: CellValue;

  /** The first different values, at most five. */
  @ApiProperty({ type: 'array', items: CELL, maxItems: 5 })
  samples!: CellValue[];
}

export class TableColumnDetail extends TableColumn {
  /** Values of the column; null for a combined table, whose parts have them. */
  @ApiProperty({ type: TableColumnProfile, nullable: true })
  profile!: TableColumnProfile | null;
}

/** Where the rows of a table come from. */
export class TableSource {
  /** Name of the table of this document alone. */
  @ApiProperty(NAME)
  table!: string;

  @ApiProperty({ type: String, format: 'uuid' })
  document_id!: string;

  @ApiProperty({ type: String })
  document_name!: string;

  /** Sheet of a workbook; null where the document has no sheets. */
  @ApiProperty({ type: String, nullable: true })
  sheet!: string | null;

  /** Page or slide, from 1; null where the document has none. */
  @ApiProperty({ ...COUNT, nullable: true })
  page!: number | null;

  /** Number of rows from this document. */
  @ApiProperty(COUNT)
  row_count!: number;
}

/** A table of the documents of a dataset. */
export class DatasetTable {
  /**
   * Name of the table in SQL statements, made of the names of document and sheet when the table first appeared; it stays the same over revisions
   * and renames.
   */
  @ApiProperty(NAME)
  name!: string;

  /** Caption of the table or the heading above it, otherwise the name of the document. */
  @ApiProperty({ type: String })
  title!: string;

  /**
   * `single`: a table of one place in a document. `combined`: tables of several places with the same columns, joined into one, with a last column
   * that names the document of each row.
   */
  @ApiProperty({ enum: ['single', 'combined'] })
  kind!: 'single' | 'combined';

  /**
   * Columns, in order. SQL statements may use six more in every table: `_row`, `_document_id`, `_sheet`, `_total`, and the place of the row in the
   * document's text, `_text_start` and `_text_end`.
   */
  @ApiProperty({ type: [TableColumn] })
  columns!: TableColumn[];

  /** Number of rows below the header. */
  @ApiProperty(COUNT)
  row_count!: number;

  /** Number of those rows that sum up others (`_total`). */
  @ApiProperty(COUNT)
  total_rows!: number;

  /** How the table was read. `exact`: from the structure of the file. `guessed`: rows and columns were derived from positions on a page. */
  @ApiProperty({ enum: ['exact', 'guessed'] })
  fidelity!: 'exact' | 'guessed';

  /** Sources of the rows, the first 100. */
  @ApiProperty({ type: [TableSource] })
  sources!: TableSource[];

  /** Number of sources. */
  @ApiProperty(COUNT)
  source_count!: number;
}

/** What was done to make a table of what the document has. */
export class TableRepair {
  /** What was repaired. `day_missing`: a date has no day (`March 1998`) and is kept as the first day of the month. */
  @ApiProperty({ enum: REPAIR_CODES, enumName: 'TableRepairCode' })
  code!: RepairCode;

  /** Name of the repaired table of one document; for a combined table, one of its parts. */
  @ApiProperty(NAME)
  table!: string;

  @ApiProperty({ type: String, format: 'uuid' })
  document_id!: string;

  /** Name of the repaired column; null where the table as a whole was repaired. */
  @ApiProperty({ type: String, nullable: true })
  column!: string | null;

  /** Number of repaired rows, columns or values. */
  @ApiProperty(COUNT)
  count!: number;

  /** Numbers of the first such rows in the document, from 1. */
  @ApiProperty({ type: 'array', items: { type: 'integer', minimum: 1 } })
  rows!: number[];
}

/** A table with what is known of its values. */
export class DatasetTableDetail extends DatasetTable {
  @ApiProperty({ type: [TableColumnDetail] })
  declare columns: TableColumnDetail[];

  /** The first rows, at most ten; values in the order of the columns. Long texts are cut and end with `…`. */
  @ApiProperty({ type: 'array', items: { type: 'array', items: CELL }, maxItems: 10 })
  sample_rows!: CellValue[][];

  /** Repairs that were made to read the table; for a combined table, those of its first 100 parts. */
  @ApiProperty({ type: [TableRepair] })
  repaired!: TableRepair[];
}

export class DatasetTablePage {
  @ApiProperty({ type: [DatasetTable] })
  items!: DatasetTable[];

  /** Number of tables that match. */
  @ApiProperty(COUNT)
  total!: number;

  /** Number of rows left out at the beginning. */
  @ApiProperty(COUNT)
  skip!: number;

  /** Maximum number of rows in a page. */
  @ApiProperty({ type: 'integer', minimum: 1 })
  limit!: number;
}
