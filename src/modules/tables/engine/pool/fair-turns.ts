import { sqlErrors } from '../sql.errors.js';

const RETRY_AFTER_SECONDS = 2;

/** Limits of turns. */
export interface TurnBounds {
  /** At the same time. */
  readonly places: number;
  /** Maximum number of waiting requests of one owner. */
  readonly waitingOfOwner: number;
  /** Maximum number of waiting requests of all owners. */
  readonly waiting: number;
  /** Milliseconds for which a place is kept while an owner without one waits. */
  readonly turnMs: number;
}

/** A place that its owner has until it is given back. */
export interface Place {
  readonly owner: string;
  /** Fires when the place was kept for long and another owner, who has none, waits: the work is to end. */
  readonly over: AbortSignal;
}

interface Held extends Place {
  readonly since: number;
  readonly end: AbortController;
}

interface Waiting {
  readonly take: (place: Place) => void;
  readonly fail: (reason: Error) => void;
}

/**
 * A bounded number of places at the same time. Waiting owners take turns, regardless of how many requests each of them has. Where there are
 * several places, an owner that has one does not get the last free one. An owner that has kept a place for long is told to end while another
 * owner without a place waits.
 */
export class FairTurns {
  private readonly held = new Set<Held>();
  private waitingCount = 0;
  /** The order of the owners is the order of their turns. */
  private readonly waiting = new Map<string, Waiting[]>();
  private readonly mostOfOwner: number;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly bounds: TurnBounds) {
    this.mostOfOwner = Math.max(1, bounds.places - 1);
  }

  /**
   * Resolves when it is the owner's turn; `give` the place back afterwards.
   * @throws `sql.busy`; the reason of `signal`.
   */
  take(owner: string, signal?: AbortSignal): Promise<Place> {
    signal?.throwIfAborted();
    if (this.mayTake(owner)) return Promise.resolve(this.hold(owner));
    const line = this.waiting.get(owner) ?? [];
    if (line.length >= this.bounds.waitingOfOwner || this.waitingCount >= this.bounds.waiting) {
      throw sqlErrors.busy({}, { retryAfter: RETRY_AFTER_SECONDS });
    }
    this.waiting.set(owner, line);
    return new Promise((resolve, reject) => {
      const onAbort = (): void => {
        this.leave(owner, entry);
        this.endLongest();
        reject(signal!.reason as Error);
      };
      const entry: Waiting = {
        take: (place) => {
          signal?.removeEventListener('abort', onAbort);
          resolve(place);
        },
        fail: (reason) => {
          signal?.removeEventListener('abort', onAbort);
          reject(reason);
        },
      };
      signal?.addEventListener('abort', onAbort, { once: true });
      line.push(entry);
      this.waitingCount += 1;
      this.endLongest();
    });
  }

  /** Gives a place back, and hands on what is free. */
  give(place: Place): void {
    this.held.delete(place as Held);
    this.goToTheEnd(place.owner);
    // A copy: handing on changes the order.
    const owners = Array.from(this.waiting.keys());
    for (const owner of owners) {
      if (this.mayTake(owner)) this.handTo(owner);
    }
    this.endLongest();
  }

  /** Rejects all waiting requests. */
  failAll(reason: Error): void {
    const all = [...this.waiting.values()].flat();
    this.waiting.clear();
    this.waitingCount = 0;
    this.endLongest();
    for (const entry of all) entry.fail(reason);
  }

  private mayTake(owner: string): boolean {
    return this.held.size < this.bounds.places && this.countOf(owner) < this.mostOfOwner;
  }

  private countOf(owner: string): number {
    let count = 0;
    for (const place of this.held) if (place.owner === owner) count += 1;
    return count;
  }

  private hold(owner: string): Place {
    const end = new AbortController();
    const place: Held = { owner, since: performance.now(), end, over: end.signal };
    this.held.add(place);
    return place;
  }

  private handTo(owner: string): void {
    const entry = this.waiting.get(owner)![0]!;
    this.leave(owner, entry);
    this.goToTheEnd(owner);
    entry.take(this.hold(owner));
  }

  /** Anyone who had his turn. */
  private goToTheEnd(owner: string): void {
    const line = this.waiting.get(owner);
    if (line === undefined) return;
    this.waiting.delete(owner);
    this.waiting.set(owner, line);
  }

  /** Tells those who have had their time to end, one for each owner who waits without a place; looks again when the next one has had it. */
  private endLongest(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    const open = [...this.held].filter(({ over }) => !over.aborted).toSorted((a, b) => a.since - b.since);
    const ending = this.held.size - open.length;
    const without = [...this.waiting.keys()].filter((owner) => this.countOf(owner) === 0).length;
    for (const place of open.slice(0, Math.max(0, without - ending))) {
      const left = place.since + this.bounds.turnMs - performance.now();
      if (left > 0) {
        this.timer = setTimeout(() => this.endLongest(), Math.ceil(left));
        return;
      }
      place.end.abort(new Error('Another tenant waits for its turn.'));
    }
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
