import { ApiProperty } from '@nestjs/swagger';

/** How a table was asked. */
export class ChatTableReading {
  /** Its dataset. */
  @ApiProperty({ format: 'uuid' })
  dataset_id!: string;

  /** Name of the table, single or combined. */
  table!: string;

  /** The statement; `POST /datasets/{id}/tables/query/sql` takes it as it is. */
  sql!: string;

  /** What it does, in a sentence. */
  explanation!: string;

  /** What was assumed where the question leaves it open. */
  @ApiProperty({ type: [String] })
  assumptions!: string[];

  /** How well the words of the question fit the table, as in `POST /datasets/{id}/tables/query/natural-language`. */
  @ApiProperty({ type: Number, minimum: 0, maximum: 1 })
  confidence!: number;

  /** Of how many rows the answer is made; of them some are sources. */
  @ApiProperty({ type: 'integer', minimum: 0 })
  row_count!: number;
}
