import { accountErrors } from '../accounts.errors.js';

/** For whom a password is hashed. */
export interface HashingCaller {
  /** Where the request came from, `prefixOf`; null where that does not matter. */
  readonly prefix: string | null;
  /** Goes before the others: has logged in to this account from this network before, or is known by a credential. */
  readonly isKnown: boolean;
}

export interface HashingBounds {
  /** Hashes at once. */
  readonly atOnce: number;
  /** Callers that wait: those that are known, and as many others. */
  readonly mostWaiting: number;
  /** Of these, callers of one prefix. */
  readonly mostOfPrefix: number;
}

/** Callers that wait, by their prefixes; the prefix whose turn is next comes first. */
class Lane {
  private readonly queues = new Map<string | null, (() => void)[]>();
  private size = 0;

  constructor(private readonly bounds: HashingBounds) {}

  /** Resolves when it is the caller's turn. @throws `accounts.busy` */
  async wait(prefix: string | null): Promise<void> {
    const queue = this.queues.get(prefix) ?? [];
    const isShareTaken = prefix !== null && queue.length >= this.bounds.mostOfPrefix;
    if (isShareTaken || this.size >= this.bounds.mostWaiting) throw accountErrors.busy({}, { retryAfter: 2 });
    this.queues.set(prefix, queue);
    this.size += 1;
    await new Promise<void>((go) => queue.push(go));
  }

  /** Takes the next one out. */
  next(): (() => void) | undefined {
    const [first] = this.queues;
    if (first === undefined) return undefined;
    const [prefix, queue] = first;
    this.size -= 1;
    const go = queue.shift();
    // To the end of the round.
    this.queues.delete(prefix);
    if (queue.length > 0) this.queues.set(prefix, queue);
    return go;
  }
}

/**
 * Turns for work that keeps a processor busy. Known callers go before all others. Of callers alike each prefix in turn has one go, so that
 * one that sends many delays itself alone, and none has more than its share waiting.
 */
export class HashingTurns {
  private running = 0;
  private readonly known: Lane;
  private readonly others: Lane;

  constructor(private readonly bounds: HashingBounds) {
    this.known = new Lane(bounds);
    this.others = new Lane(bounds);
  }

  /** Runs `work` when its turn has come. @throws `accounts.busy` when too many wait */
  async run<T>({ prefix, isKnown }: HashingCaller, work: () => Promise<T>): Promise<T> {
    if (this.running >= this.bounds.atOnce) await (isKnown ? this.known : this.others).wait(prefix);
    else this.running += 1;
    try {
      return await work();
    } finally {
      const next = this.known.next() ?? this.others.next();
      if (next === undefined) this.running -= 1;
      else next();
    }
  }
}
