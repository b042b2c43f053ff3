/** What `read` gives for each item, in their order; the next one is read while the caller is at work on the one before. */
export async function* readAhead<Item, Read>(
  items: readonly Item[],
  read: (item: Item) => Promise<Read>,
): AsyncGenerator<Read> {
  let next = items.length === 0 ? undefined : read(items[0]!);
  for (let index = 0; next !== undefined; index += 1) {
    const current = await next;
    next = index + 1 < items.length ? read(items[index + 1]!) : undefined;
    // Its failure shows when its turn comes; a caller that has left does not see it.
    next?.catch(() => undefined);
    yield current;
  }
}
