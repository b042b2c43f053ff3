import { ApiProperty } from '@nestjs/swagger';

const COUNT = { type: 'integer', minimum: 0 } as const;
const OFFSET = { type: 'integer', minimum: 0 } as const;

/** The chunk that is explained: of several that would do, the one that got furthest. */
export class ExplainedChunk {
  /** Identifier of the chunk. */
  @ApiProperty({ format: 'uuid' })
  chunk_id!: string;

  /** Number of the chunk within the document, from 0. */
  @ApiProperty(COUNT)
  ordinal!: number;

  /** Offset of the first UTF-16 code unit in the document's canonical text. */
  @ApiProperty(OFFSET)
  char_start!: number;

  /** Offset just after the last code unit. */
  @ApiProperty(OFFSET)
  char_end!: number;
}
