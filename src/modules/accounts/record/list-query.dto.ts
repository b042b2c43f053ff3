import { Choice, ListQueryDto } from '#libs/http';
import { LIST_ORDERS, type ListOrder } from './list-order.repository.js';

/** Paging and order of tenants, members and API keys. */
export class AccountsListQuery extends ListQueryDto {
  /** Order of the rows; a minus sign means descending. Numbers within names count by their value: `Report 2` before `Report 10`. */
  @Choice(LIST_ORDERS, { optional: true, default: '-created_at' })
  order_by: ListOrder = '-created_at';
}
