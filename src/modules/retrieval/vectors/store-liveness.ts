import { SingleFlight } from '#libs/common';
import { VectorStore, type CallOptions } from '#libs/vector-store';

/**
 * Whether the vector store answers, for searches that do without it: they fail while it is away, as those do that ask it. Searches that come while it
 * is being asked share its answer; none is remembered, so that the first search after the store has gone says so.
 */
export class StoreLiveness {
  private readonly asking = new SingleFlight<void>();

  constructor(private readonly store: VectorStore) {}

  /** Resolves where the store has answered. @throws what `VectorStore.ping` throws; the reason of `signal` after an abort */
  async confirm({ signal = NEVER, deadlineMs }: CallOptions): Promise<void> {
    await this.asking.run(String(deadlineMs), (until) => this.store.ping({ signal: until, deadlineMs }), signal);
  }
}

const NEVER = new AbortController().signal;
