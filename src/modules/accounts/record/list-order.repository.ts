import { NATURAL_ORDER } from '#libs/database';

/** Orders of the lists of this module; a minus sign means descending. */
export const LIST_ORDERS = ['created_at', '-created_at', 'name', '-name'] as const;
export type ListOrder = (typeof LIST_ORDERS)[number];

/** The requested page of a list. */
export interface ListPage {
  readonly skip: number;
  readonly limit: number;
  readonly order_by: ListOrder;
}

const CLAUSES: Readonly<Record<ListOrder, string>> = {
  created_at: 'listed.created_at, listed.id',
  '-created_at': 'listed.created_at DESC, listed.id DESC',
  name: `listed.name ${NATURAL_ORDER}, listed.id`,
  '-name': `listed.name ${NATURAL_ORDER} DESC, listed.id DESC`,
};

/**
 * Wraps a statement with the columns `id`, `name` and `created_at` so that it returns one page; `$first` and the next placeholder are limit
 * and offset.
 */
export function pageOf(statement: string, order: ListOrder, first: number): string {
  return `SELECT * FROM (${statement}) AS listed ORDER BY ${CLAUSES[order]} LIMIT $${first} OFFSET $${first + 1}`;
}
