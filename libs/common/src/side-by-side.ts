/** Pieces of work that go on beside each other, with their results in the order in which they began. */
export class SideBySide<T> {
  private readonly results: Promise<T>[] = [];

  /** Begins one; resolves to its result. Its failure is also told by `all`, so that this need not be looked at. */
  begin(work: () => Promise<T>): Promise<T> {
    const result = work();
    result.catch(() => undefined);
    this.results.push(result);
    return result;
  }

  /** @throws what the first one that failed throws */
  async all(): Promise<T[]> {
    return Promise.all(this.results);
  }

  /** The results of those that succeeded, once all have ended. */
  async succeeded(): Promise<T[]> {
    const settled = await Promise.allSettled(this.results);
    return settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  }
}
