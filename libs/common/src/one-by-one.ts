/**
 * Does pieces of work one after the other, in the order in which they are handed in; one that fails holds up none. Who does not wait for the
 * result of `run` has to log failures in the work itself.
 */
export class OneByOne {
  private last: Promise<unknown> = Promise.resolve();

  /** Resolves to what `work` gives, once those before it have ended. @throws what it throws */
  run<T>(work: () => Promise<T>): Promise<T> {
    const result = this.last.then(work);
    this.last = result.catch(() => undefined);
    return result;
  }

  /** Resolves when everything that was handed in until now has ended. */
  async ended(): Promise<void> {
    await this.last;
  }
}
