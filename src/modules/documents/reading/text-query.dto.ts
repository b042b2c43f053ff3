import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsInt, IsOptional, Max, Min } from 'class-validator';
import { QueryInteger } from '#libs/http';

const MAX_OFFSET = 4_294_967_295;

/** A part of the canonical text, in UTF-16 code units. */
export class TextQuery {
  /** Offset of the first code unit. */
  @ApiPropertyOptional({ type: 'integer', minimum: 0, maximum: MAX_OFFSET, default: 0 })
  @IsOptional()
  @QueryInteger()
  @IsInt()
  @Min(0)
  @Max(MAX_OFFSET)
  start: number = 0;

  /** Offset just after the last code unit; if left out, the end of the text. */
  @ApiPropertyOptional({ type: 'integer', minimum: 0, maximum: MAX_OFFSET })
  @IsOptional()
  @QueryInteger()
  @IsInt()
  @Min(0)
  @Max(MAX_OFFSET)
  end?: number;
}
