import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional, IsString, MaxLength } from 'class-validator';
import { ListQueryDto } from '#libs/http';

const COUNT = { type: 'integer', minimum: 0 } as const;

/** Which tags. */
export class ListTagsQuery extends ListQueryDto {
  /** Only tags that contain this, without regard to case. */
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

  /** Documents that carry it. */
  @ApiProperty({ type: 'integer', minimum: 1 })
  count!: number;
}

/** A page of tags, the most frequent first. */
export class TagPage {
  /** The tags of this page. */
  @ApiProperty({ type: [TagFacet] })
  items!: TagFacet[];

  /** How many there are in all. */
  @ApiProperty(COUNT)
  total!: number;

  /** How many were left out at the beginning. */
  @ApiProperty(COUNT)
  skip!: number;

  /** How many there are at most. */
  @ApiProperty({ type: 'integer', minimum: 1 })
  limit!: number;
}
