import { accountErrors } from '../accounts.errors.js';

/** The caller for whom a password is hashed. */
export interface HashingCaller {
  /** Network prefix of the request (`prefixOf`); null: irrelevant. */
  readonly prefix: string | null;
  /** Whether the caller is served first: it has logged in to this account from this network before, or has a credential. */
  readonly isKnown: boolean;
}

export interface HashingBounds {
  /** Maximum number of simultaneous hashes. */
  readonly atOnce: number;
  /** Maximum number of waiting known callers, and of waiting other callers. */
  readonly mostWaiting: number;
  /** Maximum number of waiting callers of one prefix. */
  readonly mostOfPrefix: number;
}

/** Waiting callers by prefix; the prefix with the next turn comes first. */
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

  /** Removes and returns the next caller. */
  next(): (() => void) | undefined {
    const [first] = this.queues;
    if (first === undefined) return undefined;
    const [prefix, queue] = first;
    this.size -= 1;
    const go = queue.shift();
    // Moves the prefix to the end of the round.
    this.queues.delete(prefix);
    if (queue.length > 0) this.queues.set(prefix, queue);
    return go;
  }
}

/**
 * Turns for work that occupies a processor. Known callers are served before all others. Within each group, prefixes alternate, so that a
 * prefix with many requests delays only itself, and no prefix has more than its share waiting.
 */
export class HashingTurns {
  private running = 0;
  private readonly known: Lane;
  private readonly others: Lane;

  constructor(private readonly bounds: HashingBounds) {
    this.known = new Lane(bounds);
    this.others = new Lane(bounds);
  }

  /** Runs `work` when it gets a turn. @throws `accounts.busy` when too many wait */
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
