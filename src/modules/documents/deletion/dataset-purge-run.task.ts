import { Embedder } from '#libs/ai';
import type { DatasetId, JsonObject } from '#libs/common';
import { TaskHandler, type RunningTask } from '#libs/tasks';
import type { RequestContext } from '#libs/tenancy';
import { indexRef, VectorStore } from '#libs/vector-store';
import { DatasetPurgesRepository } from './dataset-purges.repository.js';
import { DATASET_PURGE, type DatasetPurgePayload } from './dataset-purge.task.js';
import { DeletedDocuments, type DeletedDocument } from './deleted-documents.repository.js';
import { DatasetSpaces } from '../spaces/dataset-spaces.repository.js';
import { FileRemoval } from '../intents/file-removal.service.js';

const STORE_DEADLINE_MS = 60_000;

/**
 * Removes what deleted documents of a dataset have left behind: vectors of all generations, files of all revisions, those of archives that held one of them, and their rows with
 * what is kept of them for repeated requests, in this order, so that it is safe to begin again at any point: as long as the row is there the rest
 * is looked for again.
 */
@TaskHandler(DATASET_PURGE)
export class DatasetPurgeRun implements TaskHandler<DatasetPurgePayload> {
  constructor(
    private readonly purges: DatasetPurgesRepository,
    private readonly documents: DeletedDocuments,
    private readonly spaces: DatasetSpaces,
    private readonly store: VectorStore,
    private readonly files: FileRemoval,
    private readonly embedder: Embedder,
  ) {}

  /**
   * What was deleted until the purge was asked for.
   * @throws BackupUnderWay when files have to stay; to be begun again when the backup has ended.
   */
  async run(task: RunningTask<DatasetPurgePayload>): Promise<JsonObject> {
    const { ctx, payload } = task;
    const { datasetId, purgeId } = payload;
    let removed = Number(task.progress['removed'] ?? 0);
    const purge = await this.purges.begin(ctx, purgeId);
    if (purge === undefined) return { removed };
    const spaces = await this.listSpaces(ctx, datasetId);
    for (;;) {
      const batch = await this.documents.listUntil(ctx, datasetId, purge.created_at);
      if (batch.length === 0) break;
      await this.removeBatch(ctx, datasetId, spaces, batch);
      removed += batch.length;
      await task.report({ removed });
      await task.giveWay();
    }
    await this.documents.forgetRemoved(ctx);
    await this.purges.complete(ctx, purgeId);
    return { removed };
  }

  /** The spaces in which the dataset may have rows: that of today, its own, and those of other models before or since. */
  private async listSpaces(ctx: RequestContext, datasetId: DatasetId): Promise<string[]> {
    return [...new Set([this.embedder.descriptor.space, ...(await this.spaces.list(ctx, datasetId))])];
  }

  private async removeBatch(
    ctx: RequestContext,
    datasetId: DatasetId,
    spaces: readonly string[],
    batch: readonly DeletedDocument[],
  ): Promise<void> {
    const ids = batch.map(({ id }) => id);
    for (const space of spaces) {
      const index = indexRef(ctx, datasetId, space);
      await this.store.remove(index, { documentIds: ids }, { deadlineMs: STORE_DEADLINE_MS });
    }
    const archives = await this.documents.guardArchives(ctx, ids);
    await this.files.run([...archives, ...batch.flatMap(({ keys }) => keys)], () =>
      this.documents.remove(ctx, datasetId, ids),
    );
  }
}
