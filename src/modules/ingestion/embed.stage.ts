import { Injectable } from '@nestjs/common';
import { Embedder } from '#libs/ai';
import { DocumentLifecycle } from '../documents/index.js';
import { breatheDeeply, STAGE_SPAN, type AttemptRun } from './attempt-run.js';
import { ChunkSetRepository, type ChunkToEmbed } from './chunk-set.repository.js';
import type { ChunkSet } from './chunk-sets.js';
import { DependencyGates } from './dependency-gates.js';
import { embedded as embeddedEvent } from './stage-events.js';

const MOST_PER_BATCH = 32;

/** Chunks → vectors; those that have one in the space keep it, so that a retry calls no model again. */
@Injectable()
export class EmbedStage {
  constructor(
    private readonly lifecycle: DocumentLifecycle,
    private readonly sets: ChunkSetRepository,
    private readonly embedder: Embedder,
    private readonly gates: DependencyGates,
  ) {}

  /** @throws Postponed when the model asks for time. */
  async run(run: AttemptRun, set: ChunkSet): Promise<void> {
    const { ctx, attempt } = run;
    const { space, maxBatchSize } = this.embedder.descriptor;
    const limit = Math.min(MOST_PER_BATCH, maxBatchSize);
    let batch = await this.sets.listToEmbed(ctx, set.id, space, -1, limit);
    if (set.chunk_count > 0 && batch[0]?.ordinal !== 0) await this.lifecycle.noteResumed(ctx, attempt, 'embedding');
    let embedded = 0;
    for (;;) {
      run.signal.throwIfAborted();
      const vectors = await this.embed(batch, run.signal);
      const rows = batch.map((chunk, index) => ({ id: chunk.id, vector: vectors[index]! }));
      embedded += batch.length;
      const last = batch.length < limit;
      await this.lifecycle.guarded(ctx, attempt, async (manager, inner) => {
        if (rows.length > 0) await this.sets.appendVectors(manager, ctx, space, rows);
        if (!last) return;
        await this.lifecycle.moveOn(
          inner,
          attempt,
          embeddedEvent(embedded, space, run.clock.endStage()),
          'vector_write',
        );
      });
      if (last) return;
      const done = batch.at(-1)!.ordinal;
      await this.report(run, done / Math.max(1, set.chunk_count));
      await breatheDeeply();
      batch = await this.sets.listToEmbed(ctx, set.id, space, done, limit);
    }
  }

  /** The vectors of chunks, in their order, in as few calls as the model allows. @throws Postponed */
  async embed(
    chunks: readonly Pick<ChunkToEmbed, 'body' | 'heading_path'>[],
    signal: AbortSignal,
  ): Promise<Float32Array[]> {
    const { maxBatchSize } = this.embedder.descriptor;
    const vectors: Float32Array[] = [];
    for (let from = 0; from < chunks.length; from += maxBatchSize) {
      const texts = chunks.slice(from, from + maxBatchSize).map(textToEmbed);
      vectors.push(
        ...(await this.gates.embedder.run(() => this.embedder.embed(texts, 'document', { signal }), signal)),
      );
    }
    return vectors;
  }

  private async report(run: AttemptRun, share: number): Promise<void> {
    const { from, to } = STAGE_SPAN.embedding;
    await this.lifecycle.reportProgress(run.ctx, run.attempt, from + (to - from) * Math.min(1, share));
  }
}

/** The headings above a chunk say what it is about; the shown text stays as it is. */
function textToEmbed(chunk: Pick<ChunkToEmbed, 'body' | 'heading_path'>): string {
  return chunk.heading_path.length === 0 ? chunk.body : `${chunk.heading_path.join(' > ')}\n${chunk.body}`;
}
