import type { DryRunChunk, DryRunChunks } from './dry-run.dto.js';

const MOST_CHARACTERS = 100_000;

/** The first chunks of a document, as many as an answer shows. */
export class ChunkSample {
  static readonly MOST_CHUNKS = 200;

  private readonly chunks: DryRunChunk[] = [];
  private characters = 0;

  /** Keeps the chunk unless the answer would become too long by it; none is kept behind one that was left out. */
  add(chunk: DryRunChunk): void {
    this.characters += chunk.text.length;
    if (this.chunks.length < ChunkSample.MOST_CHUNKS && this.characters <= MOST_CHARACTERS) this.chunks.push(chunk);
  }

  describe(totals: Pick<DryRunChunks, 'policy_version' | 'chunk_count' | 'token_count'>): DryRunChunks {
    return { ...totals, chunks: this.chunks, truncated: this.chunks.length < totals.chunk_count };
  }
}
