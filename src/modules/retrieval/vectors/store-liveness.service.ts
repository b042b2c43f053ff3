import { SingleFlight } from '#libs/common';
import { VectorStore, type CallOptions } from '#libs/vector-store';

/**
 * Tells searches that need no rows of the vector store whether it answers: while it is unreachable they fail, too, as searches that ask it do.
 * Searches that come while it is being asked share its answer. No answer is remembered, so that the first search after a failure of the store fails.
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
