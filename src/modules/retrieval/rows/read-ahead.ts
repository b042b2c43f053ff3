import { prefetchOne } from '#libs/common';

/** Results of `read` for each item, in order; the next item is read while the caller works on the previous one. */
export function readAhead<Item, Read>(
  items: readonly Item[],
  read: (item: Item) => Promise<Read>,
): AsyncGenerator<Read> {
  return prefetchOne(oneByOne(items, read));
}

async function* oneByOne<Item, Read>(
  items: readonly Item[],
  read: (item: Item) => Promise<Read>,
): AsyncGenerator<Read> {
  for (const item of items) yield await read(item);
}
