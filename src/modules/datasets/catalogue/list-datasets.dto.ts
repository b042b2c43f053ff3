import { IsOptional, IsUUID } from 'class-validator';
import { Choice, ListQueryDto, Text } from '#libs/http';

export const DATASET_ORDERS = ['created_at', '-created_at', 'name', '-name', 'updated_at', '-updated_at'] as const;
export type DatasetOrder = (typeof DATASET_ORDERS)[number];

/** Filters of the dataset list. */
export class ListDatasetsQuery extends ListQueryDto {
  /** Only datasets that belong to this category itself, not to one below it; an unknown identifier gives an empty list. */
  @IsOptional()
  @IsUUID()
  category_id?: string;

  /** Only datasets whose name contains this text, without regard to case. */
  @Text({ query: true, max: 256, described: { pattern: '^[^\\u0000]*$' } })
  q?: string;

  /** Order of the rows; a minus sign means descending. Numbers within names count by their value: `Report 2` before `Report 10`. Rows with equal values are ordered by identifier. */
  @Choice(DATASET_ORDERS, { query: true, default: '-created_at' })
  order_by: DatasetOrder = '-created_at';
}
