import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Allow } from 'class-validator';
import { Answer, Integer, Text } from '#libs/http';
import { MAX_STATEMENT_LENGTH } from '../engine/guard/text-bounds.js';
import { RESULT_TYPES, type CellValue, type ResultType } from '../engine/table-engine.port.js';

const CELL = { anyOf: ['string', 'number', 'boolean', 'null'].map((type) => ({ type })) };
export const MAX_PARAMETERS = 100;
export const MAX_QUERY_ROWS = 1000;

/** A statement over the tables of a dataset. */
export class SqlQueryRequest {
  /** The SQL statement: one `SELECT`. */
  @Text({ min: 1, max: MAX_STATEMENT_LENGTH, example: 'SELECT region, sum(amount) AS sum FROM sales GROUP BY region' })
  sql!: string;

  /** Values of the parameters: a list for `?` or `$1`, `$2`, …, or an object for `$name`; null or omitted when the statement has none. */
  @ApiPropertyOptional({
    anyOf: [
      { type: 'array', items: CELL, maxItems: MAX_PARAMETERS },
      { type: 'object', additionalProperties: CELL, maxProperties: MAX_PARAMETERS },
      { type: 'null' },
    ],
  })
  @Allow()
  params?: unknown;

  /** Maximum number of rows. */
  @Integer({ optional: true, min: 1, max: MAX_QUERY_ROWS, default: 100 })
  limit?: number = 100;

  /** Maximum duration of the statement, in milliseconds; loading tables and waiting for a free slot do not count. */
  @Integer({ optional: true, min: 1, max: 30_000, default: 5000 })
  timeout_ms?: number = 5000;
}

export class ResultColumnDto {
  /** Name of the column, unique in the result: a second `name` becomes `name_2`. */
  @Answer.Text()
  name!: string;

  /** Type of the column. `json`: lists and structures, as JSON text. */
  @Answer.Choice(RESULT_TYPES, { name: 'ResultColumnType' })
  type!: ResultType;
}

/** The place in a document from which a row of a result comes. */
export class RowSourceDto {
  /** Identifier of the document. */
  @Answer.Uuid()
  document_id!: string;

  /** Sheet of a workbook; null where the document has no sheets. */
  @Answer.Text({ nullable: true })
  sheet!: string | null;

  /** Number of the row in the document or sheet, from 1. */
  @Answer.Integer({ min: 1 })
  row!: number;
}

export class SourceDocumentDto {
  /** Identifier of the document. */
  @Answer.Uuid()
  document_id!: string;

  /** Name of the document. */
  @Answer.Text()
  document_name!: string;
}

/** The result of a statement. */
export class SqlQueryResponse {
  /** Columns of the result, in order. */
  @Answer.NestedList(ResultColumnDto)
  columns!: ResultColumnDto[];

  /** Rows of the result; values in the order of the columns. Numbers that JSON cannot represent exactly are texts. */
  @ApiProperty({ type: 'array', items: { type: 'array', items: CELL } })
  rows!: CellValue[][];

  /** Number of rows in this response. */
  @Answer.Count()
  row_count!: number;

  /** Whether the statement gives more rows than `limit`. */
  @Answer.Flag()
  truncated!: boolean;

  /** Sources of the rows, one for each row, where the statement only selects, filters, orders and limits rows of one table; null otherwise. */
  @Answer.NestedList(RowSourceDto, { nullable: true })
  row_sources!: RowSourceDto[] | null;

  /** Documents from which the result comes, ordered by name; all documents of the tables that the statement reads where it cannot be determined. */
  @Answer.NestedList(SourceDocumentDto)
  source_documents!: SourceDocumentDto[];

  /** Time from the request to the result, in milliseconds. */
  @Answer.Count()
  elapsed_ms!: number;
}
