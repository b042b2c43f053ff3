import { ApiProperty } from '@nestjs/swagger';
import { Answer, PageOf } from '#libs/http';
import { COLUMN_TYPES, REPAIR_CODES, type CellValue, type ColumnType, type RepairCode } from '#libs/tabular';

const CELL = { anyOf: ['string', 'number', 'boolean', 'null'].map((type) => ({ type })) };

/** A column of a table. */
export class TableColumn {
  /** Name of the column in SQL statements: lower-case letters, digits and underscores; unique in the table. */
  @Answer.Text({ min: 1, max: 128 })
  name!: string;

  /** Header of the column in the document; headers of several rows are joined by a space. */
  @Answer.Text()
  label!: string;

  /** Type, derived from the values of the whole column. A percentage or an amount of money is a number, with the sign as `unit`. */
  @Answer.Choice(COLUMN_TYPES, { name: 'ColumnType' })
  type!: ColumnType;

  /** Unit of the numbers, for example `%`, `EUR` or `kg`; null where they have none, or not all the same. */
  @Answer.Text({ nullable: true })
  unit!: string | null;

  /** Whether some rows have no value. */
  @Answer.Flag()
  nullable!: boolean;
}

/** Values of a column; rows that sum up others are not counted. */
export class TableColumnProfile {
  /** Number of rows without a value. */
  @Answer.Count()
  nulls!: number;

  /** Number of different values; null where there are more than 10,000. */
  @Answer.Count({ nullable: true })
  distinct!: number | null;

  /** Lowest value, for texts in the order of their UTF-16 code units; null where the column has no values. */
  @ApiProperty(CELL)
  min!: CellValue;

  /** Highest value, in the same order; null where the column has no values. */
  @ApiProperty(CELL)
  max!: CellValue;

  /** The first different values, at most five. */
  @ApiProperty({ type: 'array', items: CELL, maxItems: 5 })
  samples!: CellValue[];
}

export class TableColumnDetail extends TableColumn {
  /** Values of the column; null for a combined table, whose parts have them. */
  @Answer.Nested(TableColumnProfile, { nullable: true })
  profile!: TableColumnProfile | null;
}

/** Source of rows of a table. */
export class TableSource {
  /** Name of the table of this document alone. */
  @Answer.Text({ min: 1, max: 128 })
  table!: string;

  /** Identifier of the document. */
  @Answer.Uuid()
  document_id!: string;

  /** Name of the document. */
  @Answer.Text()
  document_name!: string;

  /** Sheet of a workbook; null where the document has no sheets. */
  @Answer.Text({ nullable: true })
  sheet!: string | null;

  /** Page or slide, from 1; null where the document has none. */
  @Answer.Count({ nullable: true })
  page!: number | null;

  /** Number of rows from this document. */
  @Answer.Count()
  row_count!: number;
}

/** A table of the documents of a dataset. */
export class DatasetTable {
  /**
   * Name of the table in SQL statements. It is made from the names of document and sheet when the table first appears, and stays the same after
   * revisions and renames.
   */
  @Answer.Text({ min: 1, max: 128 })
  name!: string;

  /** Caption of the table or the heading above it, otherwise the name of the document. */
  @Answer.Text()
  title!: string;

  /**
   * `single`: a table of one place in a document. `combined`: tables of several places with the same columns, joined into one, with a last column
   * that names the document of each row.
   */
  @Answer.Choice(['single', 'combined'])
  kind!: 'single' | 'combined';

  /**
   * Columns, in order. SQL statements may use six more in every table: `_row`, `_document_id`, `_sheet`, `_total`, and the place of the row in the
   * document's text, `_text_start` and `_text_end`.
   */
  @Answer.NestedList(TableColumn)
  columns!: TableColumn[];

  /** Number of rows below the header. */
  @Answer.Count()
  row_count!: number;

  /** Number of those rows that sum up others (`_total`). */
  @Answer.Count()
  total_rows!: number;

  /**
   * Method by which the table was read. `exact`: from the structure of the file. `guessed`: rows and columns were derived from positions on a
   * page.
   */
  @Answer.Choice(['exact', 'guessed'])
  fidelity!: 'exact' | 'guessed';

  /** Sources of the rows, the first 100. */
  @Answer.NestedList(TableSource)
  sources!: TableSource[];

  /** Number of sources. */
  @Answer.Count()
  source_count!: number;
}

/** A repair that was made to read a table. */
export class TableRepair {
  /**
   * Kind of the repair. `day_missing`: a date has no day (`March 1998`) and is kept as the first day of the month. `unit_missing`: a number has
   * no unit and is read in the unit of the others in its column. `units_mixed`: numbers of a column are in several units, or some are percentages
   * and others are not; the column keeps them as text.
   */
  @Answer.Choice(REPAIR_CODES, { name: 'TableRepairCode' })
  code!: RepairCode;

  /** Name of the repaired table of one document; for a combined table, one of its parts. */
  @Answer.Text({ min: 1, max: 128 })
  table!: string;

  /** Identifier of the document that contains the table. */
  @Answer.Uuid()
  document_id!: string;

  /** Name of the repaired column; null where the table as a whole was repaired. */
  @Answer.Text({ nullable: true })
  column!: string | null;

  /** Number of repaired rows, columns or values. */
  @Answer.Count()
  count!: number;

  /** Numbers of the first repaired rows in the document, from 1. */
  @ApiProperty({ type: 'array', items: { type: 'integer', minimum: 1 } })
  rows!: number[];
}

/** A table with a profile of its values and its first rows. */
export class DatasetTableDetail extends DatasetTable {
  @Answer.NestedList(TableColumnDetail)
  declare columns: TableColumnDetail[];

  /** The first rows, at most ten; values in the order of the columns. Long texts are cut and end with `…`. */
  @ApiProperty({ type: 'array', items: { type: 'array', items: CELL }, maxItems: 10 })
  sample_rows!: CellValue[][];

  /** Repairs that were made to read the table; for a combined table, those of its first 100 parts. */
  @Answer.NestedList(TableRepair)
  repaired!: TableRepair[];
}

export class DatasetTablePage extends PageOf(DatasetTable, {
  items: 'The tables of this page.',
  total: 'Number of tables that match.',
  least: { limit: 1 },
}) {}
