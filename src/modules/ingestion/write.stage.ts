import { Injectable } from '@nestjs/common';
import { Embedder } from '#libs/ai';
import { ANALYSIS_VERSION } from '#libs/text';
import { indexRef, VectorStore } from '#libs/vector-store';
import { DocumentLifecycle } from '../documents/index.js';
import { breathe, STAGE_SPAN, type AttemptRun } from './attempt-run.js';
import { ChunkSetRepository, type ChunkSet } from './chunk-set.repository.js';
import { toIndexedChunk } from './indexed-chunk.js';

const ROWS_PER_WRITE = 256;
const WRITE_DEADLINE_MS = 60_000;

/** Chunks → the vector store, under a generation of the attempt's own. They are not visible before the document completes. */
@Injectable()
export class WriteStage {
  constructor(
    private readonly lifecycle: DocumentLifecycle,
    private readonly sets: ChunkSetRepository,
    private readonly store: VectorStore,
    private readonly embedder: Embedder,
  ) {}

  async run(run: AttemptRun, set: ChunkSet): Promise<void> {
    const { ctx, attempt, document } = run;
    const { space, dimensions } = this.embedder.descriptor;
    const index = indexRef(ctx, document.dataset_id, space);
    const options = { signal: run.signal, deadlineMs: WRITE_DEADLINE_MS };
    const limit = Math.min(ROWS_PER_WRITE, this.store.capabilities.maxBatchRows);
    if (set.chunk_count > 0)
      await this.store.ensureIndex(index, { dimensions, analysisVersion: ANALYSIS_VERSION }, options);
    let after = -1;
    while (after + 1 < set.chunk_count) {
      run.signal.throwIfAborted();
      const rows = await this.sets.listToIndex(ctx, set.id, space, after, limit);
      if (rows.length === 0) throw new Error(`Chunks after ${after} of document ${document.id} have no vectors.`);
      await this.store.write(
        index,
        rows.map((row) => toIndexedChunk(document, attempt.token, row)),
        options,
      );
      after = rows.at(-1)!.ordinal;
      if (after + 1 >= set.chunk_count) break;
      await this.report(run, (after + 1) / set.chunk_count);
      await breathe();
    }
  }

  private async report(run: AttemptRun, share: number): Promise<void> {
    const { from, to } = STAGE_SPAN.vector_write;
    await this.lifecycle.reportProgress(run.ctx, run.attempt, from + (to - from) * share);
  }
}
