import { Type } from 'class-transformer';
import { IsInt, IsOptional, Max, Min } from 'class-validator';

/** A part of the canonical text, in UTF-16 code units. */
export class TextQuery {
  /** First code unit. */
  @IsOptional()
  @Type(() => Number)
  @IsInt()
  @Min(0)
  @Max(4_294_967_295)
  start: number = 0;

  /** One past the last code unit; left out: to the end. */
  @IsOptional()
  @Type(() => Number)
  @IsInt()
  @Min(0)
  @Max(4_294_967_295)
  end?: number;
}
