import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional, IsString, MaxLength, MinLength } from 'class-validator';
import { ListQueryDto } from '#libs/http';

export class ListTablesQuery extends ListQueryDto {
  /** Only tables with this text in their name, title, columns or the names of their documents; case is ignored. */
  @ApiPropertyOptional({ minLength: 1, maxLength: 200 })
  @IsOptional()
  @IsString()
  @MinLength(1)
  @MaxLength(200)
  q?: string;
}
