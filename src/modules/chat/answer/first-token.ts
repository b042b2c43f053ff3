import { withDeadline } from '#libs/common';

/**
 * The items of a source that is opened with a signal of its own; when there is none within `ms`, the source is stopped and `late()`
 * thrown, also by one that does not look at its signal.
 */
export async function* withFirstWithin<T>(
  open: (signal: AbortSignal) => AsyncIterable<T>,
  { signal, ms, late }: { readonly signal: AbortSignal; readonly ms: number; readonly late: () => Error },
): AsyncGenerator<T, void, undefined> {
  const controller = new AbortController();
  const items = open(AbortSignal.any([signal, controller.signal]))[Symbol.asyncIterator]();
  const first = items.next();
  try {
    let next = await withDeadline(first, ms, () => {
      const error = late();
      controller.abort(error);
      return error;
    });
    for (; next.done !== true; next = await items.next()) yield next.value;
  } finally {
    // One that hangs must not keep its reader: it has been told to stop, and what it still says concerns no one.
    first.catch(() => undefined);
    void items.return?.().catch(() => undefined);
  }
}
