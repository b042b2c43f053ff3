import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Allow, IsInt, IsString, Max, MaxLength, Min, MinLength } from 'class-validator';
import { IfPresent } from '#libs/http';
import { MAX_STATEMENT_LENGTH } from '../engine/guard/text-bounds.js';
import { RESULT_TYPES, type CellValue, type ResultType } from '../engine/table-engine.port.js';

const CELL = { anyOf: ['string', 'number', 'boolean', 'null'].map((type) => ({ type })) };
export const MAX_PARAMETERS = 100;
export const MAX_QUERY_ROWS = 1000;

/** A statement over the tables of a dataset. */
export class SqlQueryRequest {
  /** The SQL statement: one `SELECT`. */
  @ApiProperty({
    minLength: 1,
    maxLength: MAX_STATEMENT_LENGTH,
    example: 'SELECT region, sum(amount) AS sum FROM sales GROUP BY region',
  })
  @IsString()
  @MinLength(1)
  @MaxLength(MAX_STATEMENT_LENGTH)
  sql!: string;

  /** Values of the parameters: a list for `?` or `$1`, `$2`, …, or an object for `$name`; null or omitted for none. */
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
  @ApiPropertyOptional({ type: 'integer', minimum: 1, maximum: MAX_QUERY_ROWS, default: 100 })
  @IfPresent()
  @IsInt()
  @Min(1)
  @Max(MAX_QUERY_ROWS)
  limit?: number = 100;

  /** Maximum duration of the statement, in milliseconds; loading tables and waiting for a free slot do not count. */
  @ApiPropertyOptional({ type: 'integer', minimum: 1, maximum: 30_000, default: 5000 })
  @IfPresent()
  @IsInt()
  @Min(1)
  @Max(30_000)
  timeout_ms?: number = 5000;
}

export class ResultColumnDto {
  /** Name of the column, unique in the result: a second `name` becomes `name_2`. */
  @ApiProperty({ type: String })
  name!: string;

  /** Type of the column. `json`: lists and structures, as JSON text. */
  @ApiProperty({ enum: RESULT_TYPES, enumName: 'ResultColumnType' })
  type!: ResultType;
}

/** Where a row of a result stands. */
export class RowSourceDto {
  @ApiProperty({ type: String, format: 'uuid' })
  document_id!: string;

  /** Sheet of a workbook; null where the document has no sheets. */
  @ApiProperty({ type: String, nullable: true })
  sheet!: string | null;

  /** Number of the row in the document or sheet, from 1. */
  @ApiProperty({ type: 'integer', minimum: 1 })
  row!: number;
}

export class SourceDocumentDto {
  @ApiProperty({ type: String, format: 'uuid' })
  document_id!: string;

  @ApiProperty({ type: String })
  document_name!: string;
}

/** The result of a statement. */
export class SqlQueryResponse {
  @ApiProperty({ type: [ResultColumnDto] })
  columns!: ResultColumnDto[];

  /** Rows of the result; values in the order of the columns. Numbers that JSON cannot represent exactly are texts. */
  @ApiProperty({ type: 'array', items: { type: 'array', items: CELL } })
  rows!: CellValue[][];

  /** Number of rows in this response. */
  @ApiProperty({ type: 'integer', minimum: 0 })
  row_count!: number;

  /** Whether the statement gives more rows than `limit`. */
  @ApiProperty({ type: Boolean })
  truncated!: boolean;

  /** Sources of the rows, one for each row, where the statement only selects, filters, orders and limits rows of one table; null otherwise. */
  @ApiProperty({ type: [RowSourceDto], nullable: true })
  row_sources!: RowSourceDto[] | null;

  /** Documents that the result comes from, by name; where that cannot be determined, all documents of the tables that the statement reads. */
  @ApiProperty({ type: [SourceDocumentDto] })
  source_documents!: SourceDocumentDto[];

  /** Time from the request to the result, in milliseconds. */
  @ApiProperty({ type: 'integer', minimum: 0 })
  elapsed_ms!: number;
}
