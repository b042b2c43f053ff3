import { Injectable } from '@nestjs/common';
import { Embedder } from '#libs/ai';
import { analyzeQuery } from '#libs/text';
import { VectorStore } from '#libs/vector-store';

const DEADLINE_MS = 30_000;

/** Makes what the first search would have to wait for: the embedding model, the text analysis and the store. */
@Injectable()
export class RetrievalWarmup {
  private warm: Promise<void> | undefined;

  constructor(
    private readonly embedder: Embedder,
    private readonly store: VectorStore,
  ) {}

  /** Resolves when a search can be fast; does its work once. After a failure, which is thrown, the next call tries again. */
  async ensureWarm(): Promise<void> {
    this.warm ??= this.warmUp().catch((error: unknown) => {
      this.warm = undefined;
      throw error;
    });
    return this.warm;
  }

  private async warmUp(): Promise<void> {
    analyzeQuery('warm up');
    await this.embedder.embed(['warm up'], 'query', { signal: AbortSignal.timeout(DEADLINE_MS) });
    await this.store.ping({ deadlineMs: DEADLINE_MS });
  }
}
