import { FairQueue } from './fair-queue.js';
import type { Steps } from './steps.js';

/**
 * How long computations may hold the thread between two looks at what has arrived, in milliseconds: all of them together. A request that waits for
 * the database ten times waits ten times for a part of it; a look costs some microseconds.
 */
export const ROUND_MS = 0.5;
/** While nothing else arrives, looks are rarer: after this many rounds in which there was nothing to serve they are twice as long, up to this. */
export const QUIET_ROUNDS = 8;
export const MOST_ROUND_MS = 4;
/** A party that had nothing to compute may compute for this long before parties that were already computing go on; milliseconds. */
export const CREDIT_MS = 20;
/** A look that takes no longer has found nothing. */
const LOOK_MS = 0.1;

/** Whose turn it is, and whether it is still wanted. */
export interface TurnOptions {
  /** The tenant that the computation is made for; absent: the service itself. */
  readonly party?: string | undefined;
  /** Ends the computation between two of its steps; the promise then rejects with its reason. */
  readonly signal?: AbortSignal | undefined;
}

/** What time it is and when a round begins; given by tests. */
interface Surroundings {
  readonly now: () => number;
  readonly nextRound: (begin: () => void) => void;
}

/** Goes on until it has ended or the time is `until`, at least for one step; true: it has ended. */
type Advance = (until: number) => boolean;

const OF_THE_SERVICE = '';
const OF_THE_PROCESS: Surroundings = { now: () => performance.now(), nextRound: (begin) => setImmediate(begin) };

/**
 * Shares a thread between computations. Between two rounds of the event loop, in which everything else is served that has arrived, they hold it
 * for half a millisecond all together, however many there are, and not for so long each; up to four while nothing arrives. The next turn is that of the party that
 * has computed least, however many computations each party has. A party with little to compute does not wait for parties that compute all the time; the
 * computations of one party take turns. What is short and alone is done at once.
 */
export class ThreadTurns {
  private spent = 0;
  /** How long this round may be. */
  private limit = ROUND_MS;
  private quietRounds = 0;
  private endedAt = -Infinity;
  private isRoundAhead = false;
  private readonly waiting = new FairQueue<Advance>();
  /** What parties have computed, in milliseconds; one that was away counts as if it had gone on with the others, less a credit. */
  private readonly computed = new Map<string, number>();
  /** Of the party that had computed least when it was last given a turn. */
  private least = 0;

  constructor(private readonly surroundings: Surroundings = OF_THE_PROCESS) {}

  /** Does all of it in turns. @throws what a step throws; the reason of `signal` */
  do<T>(steps: Steps<T>, { party = OF_THE_SERVICE, signal }: TurnOptions = {}): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const advance: Advance = (until) => {
        try {
          for (;;) {
            signal?.throwIfAborted();
            const { done, value } = steps.next();
            if (done === true) resolve(value);
            if (done === true || this.surroundings.now() >= until) return done === true;
          }
        } catch (error) {
          reject(error instanceof Error ? error : new Error(String(error)));
          return true;
        }
      };
      const isAlone = this.waiting.size === 0 && this.spent < this.limit;
      if (isAlone && this.take(party, advance)) return;
      this.waiting.push(party, advance);
      this.awaitRound();
    });
  }

  /** Lets it go on for what is left of the round. */
  private take(party: string, advance: Advance): boolean {
    const { now } = this.surroundings;
    const began = now();
    const before = this.computedBy(party);
    this.least = Math.max(this.least, before);
    const hasEnded = advance(began + this.limit - this.spent);
    const took = now() - began;
    this.spent += took;
    this.computed.set(party, before + took);
    this.awaitRound();
    return hasEnded;
  }

  private computedBy(party: string): number {
    return Math.max(this.computed.get(party) ?? 0, this.least - CREDIT_MS);
  }

  /** The next computation of the party that has computed least; of several the one whose turn it is. */
  private next(): { readonly party: string; readonly item: Advance } | undefined {
    let chosen: string | undefined;
    for (const party of this.waiting.waitingParties()) {
      if (chosen === undefined || this.computedBy(party) < this.computedBy(chosen)) chosen = party;
    }
    return this.waiting.shift((party) => party === chosen);
  }

  /** Forgets parties that a new party would be equal to. */
  private forget(): void {
    for (const [party, computed] of this.computed) {
      if (computed <= this.least - CREDIT_MS) this.computed.delete(party);
    }
  }

  private awaitRound(): void {
    if (this.isRoundAhead) return;
    this.isRoundAhead = true;
    this.surroundings.nextRound(() => this.begin());
  }

  private begin(): void {
    const { now } = this.surroundings;
    this.isRoundAhead = false;
    this.spent = 0;
    this.limit = this.limitOfRound(now() - this.endedAt);
    while (this.spent < this.limit) {
      const next = this.next();
      if (next === undefined) break;
      if (!this.take(next.party, next.item)) this.waiting.push(next.party, next.item);
    }
    if (this.waiting.size === 0) {
      this.limit = ROUND_MS;
      this.forget();
    }
    this.endedAt = now();
  }

  /** `lookMs`: how long it took to serve what had arrived since the last round. */
  private limitOfRound(lookMs: number): number {
    if (lookMs > LOOK_MS) {
      this.quietRounds = 0;
      return ROUND_MS;
    }
    this.quietRounds += 1;
    return this.quietRounds % QUIET_ROUNDS === 0 ? Math.min(MOST_ROUND_MS, 2 * this.limit) : this.limit;
  }
}

/** The one thread of this process that serves requests. */
const turns = new ThreadTurns();

/**
 * Does it in turns of half a millisecond to four, or of one step where that takes longer; between two of them everything else that waits for the thread is served. All computations of the process
 * share these turns, tenant by tenant.
 */
export function inTurns<T>(steps: Steps<T>, options?: TurnOptions): Promise<T> {
  return turns.do(steps, options);
}
