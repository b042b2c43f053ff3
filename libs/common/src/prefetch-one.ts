/**
 * What `source` gives, in its order: it makes the next value while the caller is at work on the one before, and no further. A failure shows when its
 * turn comes; a caller that leaves does not see it, and waits for what is being made.
 */
export async function* prefetchOne<T>(source: AsyncIterable<T>): AsyncGenerator<T> {
  const values = source[Symbol.asyncIterator]();
  let next = values.next();
  try {
    for (;;) {
      const made = await next;
      if (made.done === true) return;
      next = values.next();
      next.catch(() => undefined);
      yield made.value;
    }
  } finally {
    await next.catch(() => undefined);
    await values.return?.();
  }
}
