import { isUuid, type JsonObject } from '#libs/common';
import { TaskHandler, type RunningTask } from '#libs/tasks';
import { REEMBEDDING, type ReembeddingPayload } from '../spaces/reembedding.task.js';
import { FIRST_PLACE, Reembedding, type ReembeddingPlace, type ReembeddingProgress } from './reembedding.service.js';

/** Re-embeds the dataset that someone asked for. */
@TaskHandler(REEMBEDDING)
export class ReembeddingRun implements TaskHandler<ReembeddingPayload> {
  constructor(private readonly reembedding: Reembedding) {}

  async run(task: RunningTask<ReembeddingPayload>): Promise<JsonObject> {
    const { datasetId, reembeddingId } = task.payload;
    let shown: ReembeddingProgress = { documents: 0, chunks: 0 };
    const report = async (progress: ReembeddingProgress): Promise<void> => {
      shown = { ...progress };
      await task.report({ ...progress });
    };
    const giveWay = (place: ReembeddingPlace): Promise<void> => task.giveWay({ ...place });
    await this.reembedding.run(task.ctx, datasetId, reembeddingId, { from: placeIn(task.progress), report, giveWay });
    return { ...shown };
  }
}

/** Where an earlier turn gave way. A try that ended in another way has kept no place, and all documents are looked at again. */
function placeIn({ documents, chunks, after }: JsonObject): ReembeddingPlace {
  if (!isUuid(after)) return FIRST_PLACE;
  return { documents: Number(documents), chunks: Number(chunks), after };
}
