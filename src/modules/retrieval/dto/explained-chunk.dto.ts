import { ApiProperty } from '@nestjs/swagger';

const COUNT = { type: 'integer', minimum: 0 } as const;
const OFFSET = { type: 'integer', minimum: 0 } as const;

/** The chunk that is explained: of several that would do, the one that got furthest. */
export class ExplainedChunk {
  /** The chunk. */
  @ApiProperty({ format: 'uuid' })
  chunk_id!: string;

  /** Its place in the document, from 0. */
  @ApiProperty(COUNT)
  ordinal!: number;

  /** First UTF-16 code unit in the document's canonical text. */
  @ApiProperty(OFFSET)
  char_start!: number;

  /** One past the last code unit. */
  @ApiProperty(OFFSET)
  char_end!: number;
}
