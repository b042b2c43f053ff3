import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsOptional, IsString, IsUUID, MaxLength } from 'class-validator';
import { ListQueryDto } from '#libs/http';

export const DATASET_ORDERS = ['created_at', '-created_at', 'name', '-name', 'updated_at', '-updated_at'] as const;
export type DatasetOrder = (typeof DATASET_ORDERS)[number];

/** Filters of the dataset list. */
export class ListDatasetsQuery extends ListQueryDto {
  /** Only datasets that belong to this category itself, not to one below it; an unknown identifier gives an empty list. */
  @IsOptional()
  @IsUUID()
  category_id?: string;

  /** Only datasets whose name contains this text, without regard to case. */
  @ApiPropertyOptional({ type: String, maxLength: 256, pattern: '^[^\\u0000]*$' })
  @IsOptional()
  @IsString()
  @MaxLength(256)
  q?: string;

  /** Order of the rows; a minus sign means descending. Rows with equal values are ordered by identifier. */
  @ApiPropertyOptional({ enum: DATASET_ORDERS, default: '-created_at' })
  @IsOptional()
  @IsIn(DATASET_ORDERS)
  order_by: DatasetOrder = '-created_at';
}
