import { Injectable } from '@nestjs/common';
import { DocumentLifecycle } from '../documents/index.js';
import { Embedder } from '#libs/ai';
import { inTurns } from '#libs/common';
import { breatheDeeply, STAGE_SPAN, type AttemptRun } from './attempt-run.js';
import { ChunkSetRepository } from './chunk-set.repository.js';
import type { ChunkSet } from './chunk-sets.js';
import { IndexWriter } from './index-writer.js';
import { toIndexedChunks } from './indexed-chunk.js';
import type { ParsedText } from './parsed-text.js';

const ROWS_PER_WRITE = 256;

/** Chunks → the vector store, under a generation of the attempt's own. They are not visible before the document completes. */
@Injectable()
export class WriteStage {
  constructor(
    private readonly lifecycle: DocumentLifecycle,
    private readonly sets: ChunkSetRepository,
    private readonly writer: IndexWriter,
    private readonly embedder: Embedder,
  ) {}

  /** @throws Postponed when the store asks for time. */
  async run(run: AttemptRun, set: ChunkSet, text: ParsedText): Promise<void> {
    const { ctx, attempt, signal } = run;
    const document = { ...run.document, ...text.facts };
    const limit = Math.min(ROWS_PER_WRITE, this.writer.maxRows);
    const { space } = this.embedder.descriptor;
    const owner = { document, generation: attempt.token };
    let after = -1;
    while (after + 1 < set.chunk_count) {
      signal.throwIfAborted();
      const rows = await this.sets.listToIndex(ctx, set.id, space, after, limit);
      if (rows.length === 0) throw new Error(`Chunks after ${after} of document ${document.id} have no vectors.`);
      const indexed = await inTurns(toIndexedChunks(rows, () => owner));
      await this.writer.write(ctx, document.dataset_id, indexed, signal);
      after = rows.at(-1)!.ordinal;
      if (after + 1 >= set.chunk_count) break;
      await this.report(run, (after + 1) / set.chunk_count);
      await breatheDeeply();
    }
  }

  private async report(run: AttemptRun, share: number): Promise<void> {
    const { from, to } = STAGE_SPAN.vector_write;
    await this.lifecycle.reportProgress(run.ctx, run.attempt, from + (to - from) * share);
  }
}
