import { oneAhead } from '#libs/common';

/** What `read` gives for each item, in their order; the next one is read while the caller is at work on the one before. */
export function readAhead<Item, Read>(
  items: readonly Item[],
  read: (item: Item) => Promise<Read>,
): AsyncGenerator<Read> {
  return oneAhead(oneByOne(items, read));
}

async function* oneByOne<Item, Read>(
  items: readonly Item[],
  read: (item: Item) => Promise<Read>,
): AsyncGenerator<Read> {
  for (const item of items) yield await read(item);
}
