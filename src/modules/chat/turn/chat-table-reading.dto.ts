import { ApiProperty } from '@nestjs/swagger';

/** How a table was asked. */
export class ChatTableReading {
  /** Identifier of the dataset. */
  @ApiProperty({ format: 'uuid' })
  dataset_id!: string;

  /** Name of the table, single or combined. */
  table!: string;

  /** The SQL statement; `POST /datasets/{id}/tables/query/sql` accepts it unchanged. */
  sql!: string;

  /** What the statement does, in a sentence. */
  explanation!: string;

  /** Assumptions made where the question is ambiguous. */
  @ApiProperty({ type: [String] })
  assumptions!: string[];

  /** How well the words of the question fit the table, 0 to 1, as in `POST /datasets/{id}/tables/query/natural-language`. */
  @ApiProperty({ type: Number, minimum: 0, maximum: 1 })
  confidence!: number;

  /** Number of rows that the answer is computed from; some of them are sources. */
  @ApiProperty({ type: 'integer', minimum: 0 })
  row_count!: number;
}
