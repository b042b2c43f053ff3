import type { DatasetId, JsonObject } from '#libs/common';
import { TaskHandler, type RunningTask } from '#libs/tasks';
import type { RequestContext } from '#libs/tenancy';
import { indexRef, VectorStore } from '#libs/vector-store';
import { DATASET_DELETION, DatasetDeletionsRepository, type DatasetDeletionPayload } from '../../datasets/index.js';
import { DatasetSpaces } from '../spaces/dataset-spaces.repository.js';
import { FileRemoval } from '../intents/file-removal.service.js';
import { DeletedDocuments } from './deleted-documents.repository.js';

/** Removes everything of a deleted dataset: its index, its files and its rows. Safe to begin again at any point. */
@TaskHandler(DATASET_DELETION)
export class DatasetDeletionRun implements TaskHandler<DatasetDeletionPayload> {
  constructor(
    private readonly deletions: DatasetDeletionsRepository,
    private readonly documents: DeletedDocuments,
    private readonly spaces: DatasetSpaces,
    private readonly store: VectorStore,
    private readonly files: FileRemoval,
  ) {}

  /** @throws BackupUnderWay when files have to stay; to be begun again when the backup has ended. */
  async run(task: RunningTask<DatasetDeletionPayload>): Promise<JsonObject> {
    const { ctx, payload } = task;
    const { datasetId, deletionId } = payload;
    let removed = Number(task.progress['removed'] ?? 0);
    if ((await this.deletions.begin(ctx, deletionId)) === undefined) return { removed };
    for (;;) {
      const batch = await this.removeBatch(ctx, datasetId);
      if (batch === 0) break;
      removed += batch;
      await task.report({ removed });
      await task.giveWay();
    }
    for (const space of await this.spaces.list(ctx, datasetId)) {
      await this.store.dropIndex(indexRef(ctx, datasetId, space));
    }
    await this.documents.forgetRemoved(ctx);
    await this.deletions.removeDataset(ctx, datasetId);
    await this.deletions.complete(ctx, deletionId);
    return { removed };
  }

  private async removeBatch(ctx: RequestContext, datasetId: DatasetId): Promise<number> {
    const documents = await this.documents.listOfDataset(ctx, datasetId);
    const ids = documents.map(({ id }) => id);
    const keys = documents.flatMap((document) => document.keys);
    await this.files.run(keys, () => this.documents.removeOfDataset(ctx, ids));
    return documents.length;
  }
}
