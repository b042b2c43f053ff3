/** A computation that can pause wherever it yields; what it returns is its result. It yields often, after some thousand cheap operations. */
export type Steps<T> = Generator<void, T, void>;

/** What `make` makes of each item, with a pause after each. */
export function* mapSteps<T, R>(items: readonly T[], make: (item: T, index: number) => R): Steps<R[]> {
  const made: R[] = [];
  for (const [index, item] of items.entries()) {
    made.push(make(item, index));
    yield;
  }
  return made;
}

/** Does all of it at once. */
export function finish<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}
