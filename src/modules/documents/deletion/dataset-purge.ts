import { Embedder } from '#libs/ai';
import type { DatasetId, DocumentId, JsonObject } from '#libs/common';
import { columnsOf, result, rowsOf, statement, TenantRepository, UnitOfWork } from '#libs/database';
import { removeTasks, TaskHandler, type RunningTask } from '#libs/tasks';
import type { RequestContext } from '#libs/tenancy';
import { indexRef, VectorStore } from '#libs/vector-store';
import { DatasetPurgesRepository } from './dataset-purges.repository.js';
import { DATASET_PURGE, type DatasetPurgePayload } from './dataset-purge.task.js';
import { DatasetSpaces } from '../spaces/dataset-spaces.repository.js';
import { FileRemoval } from '../intents/file-removal.service.js';
import { DocumentEntity } from '../record/document.entity.js';
import { DocumentRevisionEntity } from '../record/document-revision.entity.js';
import { StoreIntents } from '../intents/store-intents.repository.js';

const BATCH = 100;
const STORE_DEADLINE_MS = 60_000;
/** A worker that does not know yet that its document is gone has written its last row by then, or is dead. */
const LAST_WRITE_SECONDS = 120;

interface DeletedDocument {
  readonly id: DocumentId;
  readonly keys: readonly string[];
}

const LIST_DELETED = statement(
  { ...columnsOf(DocumentEntity, 'id'), keys: result.texts() },
  `SELECT d.id, ARRAY(SELECT r.blob_key FROM document_revisions r WHERE r.document_id = d.id
       UNION ALL SELECT f.key FROM generation_files f WHERE f.document_id = d.id) AS keys
   FROM documents d WHERE d.dataset_id = $1 AND d.deleted_at <= $2 ORDER BY d.id LIMIT ${BATCH}`,
);
const LOCK_WRITTEN = statement(
  { ...columnsOf(DocumentEntity, 'id'), generation: result.present(result.bigint) },
  `SELECT id, fencing_token AS generation FROM documents
   WHERE id = ANY ($1::uuid[]) AND status = 'processing' AND fencing_token IS NOT NULL ORDER BY id FOR UPDATE`,
);
/** Archives that stay although a file of theirs goes: their bytes go with it. */
const GUARD_ARCHIVES = statement(
  columnsOf(DocumentRevisionEntity, 'blob_key'),
  `UPDATE document_revisions r SET content_guard = 'purged' FROM documents a
   WHERE a.id = r.document_id AND a.deleted_at IS NULL
     AND a.id IN (SELECT d.archive_id FROM documents d WHERE d.id = ANY ($1::uuid[]) AND d.archive_id IS NOT NULL)
   RETURNING r.blob_key`,
);
const REMOVE_DOCUMENTS = statement({}, `DELETE FROM documents WHERE id = ANY ($1::uuid[]) AND deleted_at IS NOT NULL`);

/**
 * Removes what deleted documents of a dataset have left behind: vectors of all generations, files of all revisions, those of archives that held one of them, and their rows,
 * in this order, so that it is safe to begin again at any point: as long as the row is there the rest is looked for again.
 */
@TaskHandler(DATASET_PURGE)
export class DatasetPurge extends TenantRepository implements TaskHandler<DatasetPurgePayload> {
  constructor(
    unitOfWork: UnitOfWork,
    private readonly purges: DatasetPurgesRepository,
    private readonly spaces: DatasetSpaces,
    private readonly store: VectorStore,
    private readonly files: FileRemoval,
    private readonly embedder: Embedder,
    private readonly intents: StoreIntents,
  ) {
    super(unitOfWork);
  }

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
      const batch = await this.listDeleted(ctx, datasetId, purge.created_at);
      if (batch.length === 0) break;
      await this.removeBatch(ctx, datasetId, spaces, batch);
      removed += batch.length;
      await task.report({ removed });
      await task.giveWay();
    }
    await this.purges.complete(ctx, purgeId);
    return { removed };
  }

  /** The spaces in which the dataset may have rows: that of today, its own, and those of other models before or since. */
  private async listSpaces(ctx: RequestContext, datasetId: DatasetId): Promise<string[]> {
    return [...new Set([this.embedder.descriptor.space, ...(await this.spaces.list(ctx, datasetId))])];
  }

  private async listDeleted(ctx: RequestContext, datasetId: DatasetId, until: Date): Promise<DeletedDocument[]> {
    return this.query(ctx, LIST_DELETED, [datasetId, until]);
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
    const archives = await this.query(ctx, GUARD_ARCHIVES, [ids]);
    await this.files.run([...archives.map((row) => row.blob_key), ...batch.flatMap(({ keys }) => keys)], () =>
      this.removeRows(ctx, datasetId, ids),
    );
  }

  private async removeRows(ctx: RequestContext, datasetId: DatasetId, ids: readonly DocumentId[]): Promise<void> {
    await this.unitOfWork.run(ctx, async (manager, inner) => {
      // A worker may be in the middle of a write that it would take back itself, did it not die first.
      const written = await rowsOf(manager, LOCK_WRITTEN, [ids]);
      await this.intents.addAll(
        inner,
        'remove_generation',
        written.map(({ id, generation }) => ({
          subject: `${id}:${generation}`,
          payload: { documentId: id, datasetId, generation },
        })),
        LAST_WRITE_SECONDS,
      );
      await rowsOf(manager, REMOVE_DOCUMENTS, [ids]);
      await this.unitOfWork.asSystem(inner, (system) => removeTasks(system, ids));
    });
  }
}
