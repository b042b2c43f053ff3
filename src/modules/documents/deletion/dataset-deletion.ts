import type { DatasetId, JsonObject } from '#libs/common';
import { columnsOf, result, statement, TenantRepository, UnitOfWork } from '#libs/database';
import { TaskHandler, type RunningTask } from '#libs/tasks';
import type { RequestContext } from '#libs/tenancy';
import { indexRef, VectorStore } from '#libs/vector-store';
import { DATASET_DELETION, DatasetDeletionsRepository, type DatasetDeletionPayload } from '../../datasets/index.js';
import { DatasetSpaces } from '../spaces/dataset-spaces.repository.js';
import { FileRemoval } from '../intents/file-removal.service.js';
import { DocumentEntity } from '../record/document.entity.js';

const BATCH = 200;

const LIST_DELETED = statement(
  { ...columnsOf(DocumentEntity, 'id'), keys: result.texts() },
  `SELECT d.id, ARRAY(SELECT r.blob_key FROM document_revisions r WHERE r.document_id = d.id
       UNION ALL SELECT f.key FROM generation_files f WHERE f.document_id = d.id) AS keys
   FROM documents d WHERE d.dataset_id = $1 AND d.deleted_at IS NOT NULL LIMIT ${BATCH}`,
);
const REMOVE_DOCUMENTS = statement({}, `DELETE FROM documents WHERE id = ANY($1::uuid[])`);

/** Removes everything of a deleted dataset: its index, its files and its rows. Safe to begin again at any point. */
@TaskHandler(DATASET_DELETION)
export class DatasetDeletion extends TenantRepository implements TaskHandler<DatasetDeletionPayload> {
  constructor(
    unitOfWork: UnitOfWork,
    private readonly deletions: DatasetDeletionsRepository,
    private readonly spaces: DatasetSpaces,
    private readonly store: VectorStore,
    private readonly files: FileRemoval,
  ) {
    super(unitOfWork);
  }

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
    await this.deletions.removeDataset(ctx, datasetId);
    await this.deletions.complete(ctx, deletionId);
    return { removed };
  }

  private async removeBatch(ctx: RequestContext, datasetId: DatasetId): Promise<number> {
    const rows = await this.query(ctx, LIST_DELETED, [datasetId]);
    await this.files.run(
      rows.flatMap(({ keys }) => keys),
      async () => {
        await this.query(ctx, REMOVE_DOCUMENTS, [rows.map((row) => row.id)]);
      },
    );
    return rows.length;
  }
}
