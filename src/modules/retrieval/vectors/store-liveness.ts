import { SingleFlight } from '#libs/common';
import { VectorStore, type CallOptions } from '#libs/vector-store';

/** An answer of the store counts for so long, in milliseconds. */
export const ANSWER_COUNTS_MS = 250;

/**
 * Whether the vector store answers, for searches that do without it: they fail while it is away, as those do that ask it. Searches of one moment share
 * an answer; only a good one is remembered, for a moment.
 */
export class StoreLiveness {
  private readonly asking = new SingleFlight<void>();
  private answeredAt = -Infinity;

  constructor(
    private readonly store: VectorStore,
    private readonly countsMs = ANSWER_COUNTS_MS,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** Resolves where the store has answered. @throws what `VectorStore.ping` throws; the reason of `signal` after an abort */
  async confirm({ signal, deadlineMs }: CallOptions): Promise<void> {
    signal?.throwIfAborted();
    if (this.now() - this.answeredAt < this.countsMs) return;
    await this.asking.run(String(deadlineMs), (until) => this.ask({ signal: until, deadlineMs }), signal ?? NEVER);
  }

  private async ask(options: CallOptions): Promise<void> {
    const asked = this.now();
    await this.store.ping(options);
    this.answeredAt = asked;
  }
}

const NEVER = new AbortController().signal;
