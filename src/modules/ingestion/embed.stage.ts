import { Injectable } from '@nestjs/common';
import { Embedder } from '#libs/ai';
import { DocumentLifecycle } from '../documents/index.js';
import { breathe, STAGE_SPAN, type AttemptRun } from './attempt-run.js';
import { ChunkSetRepository, type ChunkSet, type ChunkToEmbed } from './chunk-set.repository.js';

const MOST_PER_BATCH = 32;

/** Chunks → vectors; those that have one in the space keep it, so that a retry calls no model again. */
@Injectable()
export class EmbedStage {
  constructor(
    private readonly lifecycle: DocumentLifecycle,
    private readonly sets: ChunkSetRepository,
    private readonly embedder: Embedder,
  ) {}

  async run(run: AttemptRun, set: ChunkSet): Promise<void> {
    const { ctx, attempt } = run;
    const { space, maxBatchSize } = this.embedder.descriptor;
    const limit = Math.min(MOST_PER_BATCH, maxBatchSize);
    let batch = await this.sets.listToEmbed(ctx, set.id, space, -1, limit);
    if (set.chunk_count > 0 && batch[0]?.ordinal !== 0) await this.lifecycle.noteResumed(ctx, attempt, 'embedding');
    let embedded = 0;
    for (;;) {
      run.signal.throwIfAborted();
      const vectors = await this.embedder.embed(batch.map(textToEmbed), 'document', { signal: run.signal });
      const rows = batch.map((chunk, index) => ({ id: chunk.id, vector: vectors[index]! }));
      embedded += batch.length;
      const last = batch.length < limit;
      const finished = { stage: 'embedding', progress: STAGE_SPAN.embedding.to, details: { embedded, space } } as const;
      await this.lifecycle.guarded(ctx, attempt, async (manager, inner) => {
        if (rows.length > 0) await this.sets.appendVectors(manager, ctx, space, rows);
        if (last) await this.lifecycle.moveOn(inner, attempt, finished, 'vector_write');
      });
      if (last) return;
      const done = batch.at(-1)!.ordinal;
      await this.report(run, done / Math.max(1, set.chunk_count));
      await breathe();
      batch = await this.sets.listToEmbed(ctx, set.id, space, done, limit);
    }
  }

  private async report(run: AttemptRun, share: number): Promise<void> {
    const { from, to } = STAGE_SPAN.embedding;
    await this.lifecycle.reportProgress(run.ctx, run.attempt, from + (to - from) * Math.min(1, share));
  }
}

/** The headings above a chunk say what it is about; the shown text stays as it is. */
function textToEmbed(chunk: ChunkToEmbed): string {
  return chunk.heading_path.length === 0 ? chunk.body : `${chunk.heading_path.join(' > ')}\n${chunk.body}`;
}
