/** A bounded number of places, given out in the order of asking. */
export class Slots {
  private free: number;
  private readonly waiting: { take: () => void; fail: (reason: Error) => void }[] = [];

  constructor(size: number) {
    this.free = size;
  }

  /** Resolves when a place is free; rejects with the signal's reason, or with the reason given to `failAll`. */
  acquire(signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    if (this.free > 0) {
      this.free -= 1;
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      const leave = (reason: Error): void => {
        signal?.removeEventListener('abort', onAbort);
        reject(reason);
      };
      const take = (): void => {
        signal?.removeEventListener('abort', onAbort);
        resolve();
      };
      const entry = { take, fail: leave };
      const onAbort = (): void => {
        this.waiting.splice(this.waiting.indexOf(entry), 1);
        leave(signal!.reason as Error);
      };
      signal?.addEventListener('abort', onAbort, { once: true });
      this.waiting.push(entry);
    });
  }

  /** Gives a place back, or hands it to the first who waits. */
  release(): void {
    const next = this.waiting.shift();
    if (next === undefined) this.free += 1;
    else next.take();
  }

  /** Rejects everybody who waits. */
  failAll(reason: Error): void {
    for (const entry of this.waiting.splice(0)) entry.fail(reason);
  }
}
