import { PAGE_LIMIT_DEFAULT, PAGE_LIMIT_MAX } from '#libs/common';
import { Integer } from './fields/number.js';

const MAX_SKIP = 1_000_000;

/** Paging of a list. */
export class ListQueryDto {
  /** Number of rows to leave out at the beginning. */
  @Integer({ query: true, min: 0, max: MAX_SKIP, default: 0 })
  skip: number = 0;

  /** Maximum number of rows. */
  @Integer({ query: true, min: 1, max: PAGE_LIMIT_MAX, default: PAGE_LIMIT_DEFAULT })
  limit: number = PAGE_LIMIT_DEFAULT;
}
