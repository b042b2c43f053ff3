import { ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsInt, IsOptional, Max, Min } from 'class-validator';
import { PAGE_LIMIT_DEFAULT, PAGE_LIMIT_MAX } from '#libs/common';

const MAX_SKIP = 1_000_000;

/** A whole number of a query, written in digits: `skip=`, `skip=1e1` and `skip=0x1` are none, and `@IsInt()` refuses them. */
export const QueryInteger = (): PropertyDecorator =>
  Transform(({ value }: { value: unknown }) =>
    typeof value === 'string' && /^-?\d{1,15}$/.test(value) ? Number(value) : value,
  );

/** `true` or `false` as a query writes them; what else there is `@IsBoolean()` refuses. */
export const QueryFlag = (): PropertyDecorator =>
  Transform(({ obj, key }: { obj: Record<string, unknown>; key: string }) =>
    obj[key] === 'true' ? true : obj[key] === 'false' ? false : obj[key],
  );

/** Values of a query, which may be given more than once: one alone is a list of one. */
export const QueryList = (): PropertyDecorator =>
  Transform(({ obj, key }: { obj: Record<string, unknown>; key: string }) =>
    typeof obj[key] === 'string' ? [obj[key]] : obj[key],
  );

/** Paging of a list. */
export class ListQueryDto {
  /** Number of rows to leave out at the beginning. */
  @ApiPropertyOptional({ type: 'integer', minimum: 0, maximum: MAX_SKIP, default: 0 })
  @IsOptional()
  @QueryInteger()
  @IsInt()
  @Min(0)
  @Max(MAX_SKIP)
  skip: number = 0;

  /** Maximum number of rows. */
  @ApiPropertyOptional({ type: 'integer', minimum: 1, maximum: PAGE_LIMIT_MAX, default: PAGE_LIMIT_DEFAULT })
  @IsOptional()
  @QueryInteger()
  @IsInt()
  @Min(1)
  @Max(PAGE_LIMIT_MAX)
  limit: number = PAGE_LIMIT_DEFAULT;
}
