import { Injectable } from '@nestjs/common';
import { Embedder } from '#libs/ai';
import type { DatasetId, DocumentId } from '#libs/common';
import { BackupUnderWay, FileRemovals, rowsOf, StoreIntents, TenantRepository, UnitOfWork } from '#libs/database';
import { ObjectStorage, parseObjectKey } from '#libs/object-storage';
import type { RequestContext } from '#libs/tenancy';
import { indexRef, VectorStore } from '#libs/vector-store';
import { listSpaces as listRecordedSpaces } from './dataset-spaces.js';

const BATCH = 100;
const STORE_DEADLINE_MS = 60_000;
/** A worker that does not know yet that its document is gone has written its last row by then, or is dead. */
const LAST_WRITE_SECONDS = 120;

interface DeletedDocument {
  readonly id: DocumentId;
  readonly keys: readonly string[];
}

/**
 * Removes what deleted documents of a dataset have left behind: vectors of all generations, files of all revisions, and their rows,
 * in this order, so that it is safe to begin again at any point: as long as the row is there the rest is looked for again.
 */
@Injectable()
export class DatasetPurge extends TenantRepository {
  constructor(
    unitOfWork: UnitOfWork,
    private readonly store: VectorStore,
    private readonly storage: ObjectStorage,
    private readonly embedder: Embedder,
    private readonly intents: StoreIntents,
    private readonly removals: FileRemovals,
  ) {
    super(unitOfWork);
  }

  /**
   * What was deleted until the purge was asked for. `onProgress` after each batch, with the documents removed so far.
   * @throws BackupUnderWay when files have to stay; to be begun again when the backup has ended.
   */
  async run(
    ctx: RequestContext,
    datasetId: DatasetId,
    purgeId: string,
    onProgress: (removed: number) => Promise<void>,
  ): Promise<void> {
    const [purge] = await this.query<{ created_at: Date }>(
      ctx,
      `UPDATE dataset_deletions SET status = 'running' WHERE id = $1 AND status <> 'completed' RETURNING created_at`,
      [purgeId],
    );
    if (purge === undefined) return;
    const spaces = await this.listSpaces(ctx, datasetId);
    for (let removed = 0; ;) {
      const batch = await this.listDeleted(ctx, datasetId, purge.created_at);
      if (batch.length === 0) break;
      await this.removeBatch(ctx, datasetId, spaces, batch);
      removed += batch.length;
      await onProgress(removed);
    }
    await this.query(ctx, `UPDATE dataset_deletions SET status = 'completed', completed_at = now() WHERE id = $1`, [
      purgeId,
    ]);
  }

  /** The spaces in which the dataset may have rows: that of today, its own, and those of other models before or since. */
  private async listSpaces(ctx: RequestContext, datasetId: DatasetId): Promise<string[]> {
    const recorded = await listRecordedSpaces((sql, values) => this.query(ctx, sql, values), datasetId);
    return [...new Set([this.embedder.descriptor.space, ...recorded])];
  }

  private async listDeleted(ctx: RequestContext, datasetId: DatasetId, until: Date): Promise<DeletedDocument[]> {
    return this.query<DeletedDocument>(
      ctx,
      `SELECT d.id, ARRAY(SELECT r.blob_key FROM document_revisions r WHERE r.document_id = d.id) AS keys
       FROM documents d WHERE d.dataset_id = $1 AND d.deleted_at <= $2 ORDER BY d.id LIMIT ${BATCH}`,
      [datasetId, until],
    );
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
    const removed = await this.removals.tryRun(async () => {
      for (const key of batch.flatMap(({ keys }) => keys)) await this.storage.delete(parseObjectKey(key));
      await this.removeRows(ctx, datasetId, ids);
    });
    if (!removed) throw new BackupUnderWay();
  }

  private async removeRows(ctx: RequestContext, datasetId: DatasetId, ids: readonly DocumentId[]): Promise<void> {
    await this.unitOfWork.run(ctx, async (manager, inner) => {
      // A worker may be in the middle of a write that it would take back itself, did it not die first.
      const written = await rowsOf<{ id: string; generation: string }>(
        manager,
        `SELECT id, fencing_token AS generation FROM documents
         WHERE id = ANY ($1::uuid[]) AND status = 'processing' AND fencing_token IS NOT NULL ORDER BY id FOR UPDATE`,
        [ids],
      );
      await this.intents.addAll(
        inner,
        'remove_generation',
        written.map(({ id, generation }) => ({
          subject: `${id}:${generation}`,
          payload: { documentId: id, datasetId, generation },
        })),
        LAST_WRITE_SECONDS,
      );
      await manager.query(`DELETE FROM documents WHERE id = ANY ($1::uuid[]) AND deleted_at IS NOT NULL`, [ids]);
      await this.unitOfWork.asSystem(inner, (system) =>
        system.query(`DELETE FROM ingestion_tasks WHERE document_id = ANY ($1::uuid[])`, [ids]),
      );
    });
  }
}
