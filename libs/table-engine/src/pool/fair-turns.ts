import { sqlErrors } from '../sql.errors.js';

const RETRY_AFTER_SECONDS = 2;

interface Waiting {
  readonly take: () => void;
  readonly fail: (reason: Error) => void;
}

/** A bounded number of places at the same time; owners who wait take turns, however many each of them has waiting. */
export class FairTurns {
  private free: number;
  private waitingCount = 0;
  /** The order of the owners is the order of their turns. */
  private readonly waiting = new Map<string, Waiting[]>();
  private readonly bounds: { readonly ofOwner: number; readonly all: number };

  constructor(places: number, bounds: { readonly ofOwner: number; readonly all: number }) {
    this.free = places;
    this.bounds = bounds;
  }

  /**
   * Resolves when it is the owner's turn; `give` back the place afterwards.
   * @throws `sql.busy`; the reason of `signal`.
   */
  take(owner: string, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    if (this.free > 0) {
      this.free -= 1;
      return Promise.resolve();
    }
    const line = this.waiting.get(owner) ?? [];
    if (line.length >= this.bounds.ofOwner || this.waitingCount >= this.bounds.all) {
      throw sqlErrors.busy({}, { retryAfter: RETRY_AFTER_SECONDS });
    }
    this.waiting.set(owner, line);
    return new Promise((resolve, reject) => {
      const onAbort = (): void => {
        this.leave(owner, entry);
        reject(signal!.reason as Error);
      };
      const entry: Waiting = {
        take: () => {
          signal?.removeEventListener('abort', onAbort);
          resolve();
        },
        fail: (reason) => {
          signal?.removeEventListener('abort', onAbort);
          reject(reason);
        },
      };
      signal?.addEventListener('abort', onAbort, { once: true });
      line.push(entry);
      this.waitingCount += 1;
    });
  }

  /** Gives a place back, or hands it on. */
  give(): void {
    const next = this.waiting.entries().next();
    if (next.done === true) {
      this.free += 1;
      return;
    }
    const [owner, line] = next.value;
    const entry = line[0]!;
    this.leave(owner, entry);
    const rest = this.waiting.get(owner);
    if (rest !== undefined) {
      // Whoever had his turn goes to the end.
      this.waiting.delete(owner);
      this.waiting.set(owner, rest);
    }
    entry.take();
  }

  /** Rejects everybody who waits. */
  failAll(reason: Error): void {
    const all = [...this.waiting.values()].flat();
    this.waiting.clear();
    this.waitingCount = 0;
    for (const entry of all) entry.fail(reason);
  }

  private leave(owner: string, entry: Waiting): void {
    const line = this.waiting.get(owner);
    const index = line?.indexOf(entry) ?? -1;
    if (line === undefined || index < 0) return;
    line.splice(index, 1);
    this.waitingCount -= 1;
    if (line.length === 0) this.waiting.delete(owner);
  }
}
