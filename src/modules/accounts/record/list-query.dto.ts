import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn } from 'class-validator';
import { IfPresent, ListQueryDto } from '#libs/http';
import { LIST_ORDERS, type ListOrder } from './list-order.repository.js';

/** Paging and order of tenants, members and API keys. */
export class AccountsListQuery extends ListQueryDto {
  /** Order of the rows; a minus sign means descending. */
  @ApiPropertyOptional({ enum: LIST_ORDERS, default: '-created_at' })
  @IfPresent()
  @IsIn(LIST_ORDERS)
  order_by: ListOrder = '-created_at';
}
