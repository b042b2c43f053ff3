import { ApiProperty } from '@nestjs/swagger';
import { withoutUndefined } from './field.js';

/** Descriptions of a page's fields. */
export interface PageWords {
  /** Description of `items`. */
  readonly items?: string;
  /** Description of `total`. */
  readonly total: string;
  /** What the rows are called in the descriptions of `skip` and `limit`. Default: rows. */
  readonly rows?: string;
  /** Least values in the description; null: none are named. Default: 0 for `total` and `skip`, and for `limit` what is given here, or 0. */
  readonly least?: { readonly limit: number } | null;
}

/** A page of a list: the rows, their total number, and the position of the page. */
export interface Page<Item> {
  items: Item[];
  total: number;
  skip: number;
  limit: number;
}

/**
 * The class of a page of a list.
 * @example
 * ```ts
 * // A page of webhooks.
 * export class WebhookPage extends PageOf(Webhook, { items: 'The webhooks of this page.', total: 'Total number of webhooks.' }) {}
 * ```
 */
export function PageOf<Item extends object>(
  item: new () => Item,
  { items, total, rows = 'rows', least = { limit: 0 } }: PageWords,
): new () => Page<Item> {
  const count = (description: string, from: number | undefined): PropertyDecorator =>
    ApiProperty(withoutUndefined({ type: 'integer', description, minimum: from }));
  const zero = least === null ? undefined : 0;

  class PageOfItems implements Page<Item> {
    @ApiProperty(withoutUndefined({ description: items, type: [item] }))
    items!: Item[];

    @count(total, zero)
    total!: number;

    @count(`Number of ${rows} left out at the beginning.`, zero)
    skip!: number;

    @count(`Maximum number of ${rows} in a page.`, least?.limit)
    limit!: number;
  }
  return PageOfItems;
}
