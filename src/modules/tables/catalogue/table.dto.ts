import { ApiProperty } from '@nestjs/swagger';
import { COLUMN_TYPES, REPAIR_CODES, type CellValue, type ColumnType, type RepairCode } from '#libs/tabular';

const COUNT = { type: 'integer', minimum: 0 } as const;
const CELL = { anyOf: ['string', 'number', 'boolean', 'null'].map((type) => ({ type })) };
const NAME = { type: String, minLength: 1, maxLength: 128 } as const;

/** A column of a table. */
export class TableColumn {
  /** Name in statements: lower case, letters, digits and underscores; unique in its table. */
  @ApiProperty(NAME)
  name!: string;

  /** The header as the document has it; headers of several rows are joined by a space. */
  @ApiProperty({ type: String })
  label!: string;

  /** Decided by the values of the whole column. A percentage or an amount of money is a number, its sign the `unit`. */
  @ApiProperty({ enum: COLUMN_TYPES, enumName: 'ColumnType' })
  type!: ColumnType;

  /** What is written beside the numbers, for instance `%`, `EUR` or `kg`; null: nothing, or not the same everywhere. */
  @ApiProperty({ type: String, nullable: true })
  unit!: string | null;

  /** Whether values are missing. */
  @ApiProperty({ type: Boolean })
  nullable!: boolean;
}

/** Values of a column; rows that sum up others are not counted. */
export class TableColumnProfile {
  /** Rows without a value. */
  @ApiProperty(COUNT)
  nulls!: number;

  /** Different values; null beyond 10,000. */
  @ApiProperty({ ...COUNT, nullable: true })
  distinct!: number | null;

  /** Least value; null where there is none. Texts by their code units. */
  @ApiProperty(CELL)
  min!: CellValue;

  /** Greatest value. */
  @ApiProperty(CELL)
  max!: CellValue;

  /** The first different values, five at most. */
  @ApiProperty({ type: 'array', items: CELL, maxItems: 5 })
  samples!: CellValue[];
}

export class TableColumnDetail extends TableColumn {
  /** Null for a combined table: its parts have it. */
  @ApiProperty({ type: TableColumnProfile, nullable: true })
  profile!: TableColumnProfile | null;
}

/** Where the rows of a table come from. */
export class TableSource {
  /** The table of this document alone. */
  @ApiProperty(NAME)
  table!: string;

  @ApiProperty({ type: String, format: 'uuid' })
  document_id!: string;

  @ApiProperty({ type: String })
  document_name!: string;

  /** Sheet of a workbook; null: the document has none. */
  @ApiProperty({ type: String, nullable: true })
  sheet!: string | null;

  /** Page or slide, from 1; null: the document has none. */
  @ApiProperty({ ...COUNT, nullable: true })
  page!: number | null;

  /** Rows of this document. */
  @ApiProperty(COUNT)
  row_count!: number;
}

/** A table of the documents of a dataset. */
export class DatasetTable {
  /** Made of the names of document and sheet when the table came first; stays over revisions and renames. Names it in statements. */
  @ApiProperty(NAME)
  name!: string;

  /** Its caption or the heading above it, else the name of the document. */
  @ApiProperty({ type: String })
  title!: string;

  /** `combined`: tables of several places with the same columns as one, with a last column that names the document of each row. */
  @ApiProperty({ enum: ['single', 'combined'] })
  kind!: 'single' | 'combined';

  /** In their order. Statements know six more in every table: `_row`, `_document_id`, `_sheet`, `_total`, and `_text_start` and
   * `_text_end`, where the row stands in the document's text. */
  @ApiProperty({ type: [TableColumn] })
  columns!: TableColumn[];

  /** Rows below the header. */
  @ApiProperty(COUNT)
  row_count!: number;

  /** Of them, rows that sum up others (`_total`). */
  @ApiProperty(COUNT)
  total_rows!: number;

  /** `guessed`: rows and columns were told from places on a page. */
  @ApiProperty({ enum: ['exact', 'guessed'] })
  fidelity!: 'exact' | 'guessed';

  /** The first 100. */
  @ApiProperty({ type: [TableSource] })
  sources!: TableSource[];

  /** How many there are. */
  @ApiProperty(COUNT)
  source_count!: number;
}

/** What was done to make a table of what the document has. */
export class TableRepair {
  /** `day_missing`: a date names its month alone (`March 1998`) and is kept as the first day of it. */
  @ApiProperty({ enum: REPAIR_CODES, enumName: 'TableRepairCode' })
  code!: RepairCode;

  /** The table of one document that it was done to: in a combined table one of its parts. */
  @ApiProperty(NAME)
  table!: string;

  @ApiProperty({ type: String, format: 'uuid' })
  document_id!: string;

  /** Name of the column; null: the table as a whole. */
  @ApiProperty({ type: String, nullable: true })
  column!: string | null;

  /** Rows, columns or values that it was done to. */
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

  /** The first rows, ten at most; values in the order of the columns. Long texts are cut and end with `…`. */
  @ApiProperty({ type: 'array', items: { type: 'array', items: CELL }, maxItems: 10 })
  sample_rows!: CellValue[][];

  /** Of a combined table those of its first 100 parts. */
  @ApiProperty({ type: [TableRepair] })
  repaired!: TableRepair[];
}

export class DatasetTablePage {
  @ApiProperty({ type: [DatasetTable] })
  items!: DatasetTable[];

  /** How many there are. */
  @ApiProperty(COUNT)
  total!: number;

  /** How many were left out at the beginning. */
  @ApiProperty(COUNT)
  skip!: number;

  /** How many rows at most. */
  @ApiProperty({ type: 'integer', minimum: 1 })
  limit!: number;
}
