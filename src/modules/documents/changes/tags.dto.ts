import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional, IsString, MaxLength } from 'class-validator';
import { ListQueryDto } from '#libs/http';

const COUNT = { type: 'integer', minimum: 0 } as const;

/** Which tags. */
export class ListTagsQuery extends ListQueryDto {
  /** Only tags that contain this text; case is ignored. */
  @ApiPropertyOptional({ type: String, maxLength: 256, pattern: '^[^\\u0000]*$' })
  @IsOptional()
  @IsString()
  @MaxLength(256)
  q?: string;
}

/** A tag and how many documents carry it. */
export class TagFacet {
  /** The tag. */
  tag!: string;

  /** Number of documents with this tag. */
  @ApiProperty({ type: 'integer', minimum: 1 })
  count!: number;
}

/** A page of tags, the most frequent first. */
export class TagPage {
  /** The tags of this page. */
  @ApiProperty({ type: [TagFacet] })
  items!: TagFacet[];

  /** Total number of tags. */
  @ApiProperty(COUNT)
  total!: number;

  /** Number of tags left out at the beginning. */
  @ApiProperty(COUNT)
  skip!: number;

  /** Maximum number of tags in a page. */
  @ApiProperty({ type: 'integer', minimum: 1 })
  limit!: number;
}
