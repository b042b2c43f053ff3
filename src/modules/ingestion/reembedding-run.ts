import type { JsonObject } from '#libs/common';
import { TaskHandler, type RunningTask } from '#libs/tasks';
import { REEMBEDDING, type ReembeddingPayload } from '../documents/index.js';
import { Reembedding } from './reembedding.js';

/** Re-embeds the dataset that somebody asked for. */
@TaskHandler(REEMBEDDING)
export class ReembeddingRun implements TaskHandler<ReembeddingPayload> {
  constructor(private readonly reembedding: Reembedding) {}

  async run(task: RunningTask<ReembeddingPayload>): Promise<JsonObject> {
    const { datasetId, reembeddingId } = task.payload;
    let shown = { documents: 0, chunks: 0 };
    await this.reembedding.run(task.ctx, datasetId, reembeddingId, async (progress) => {
      shown = { ...progress };
      await task.report(shown);
    });
    return shown;
  }
}
