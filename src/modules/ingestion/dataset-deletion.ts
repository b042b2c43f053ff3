import { Injectable } from '@nestjs/common';
import type { DatasetId } from '#libs/common';
import { BackupUnderWay, FileRemovals, TenantRepository, UnitOfWork } from '#libs/database';
import { ObjectStorage, parseObjectKey } from '#libs/object-storage';
import type { RequestContext } from '#libs/tenancy';
import { indexRef, VectorStore } from '#libs/vector-store';
import { listSpaces } from './dataset-spaces.js';

const BATCH = 200;

/** Removes everything of a deleted dataset: its index, its files and its rows. Safe to begin again at any point. */
@Injectable()
export class DatasetDeletion extends TenantRepository {
  constructor(
    unitOfWork: UnitOfWork,
    private readonly store: VectorStore,
    private readonly storage: ObjectStorage,
    private readonly removals: FileRemovals,
  ) {
    super(unitOfWork);
  }

  /** @throws BackupUnderWay when files have to stay; to be begun again when the backup has ended. */
  async run(
    ctx: RequestContext,
    datasetId: DatasetId,
    deletionId: string,
    onProgress: (removed: number) => Promise<void>,
  ): Promise<void> {
    await this.query(ctx, `UPDATE dataset_deletions SET status = 'running' WHERE id = $1`, [deletionId]);
    let removed = 0;
    for (;;) {
      const batch = await this.removeBatch(ctx, datasetId);
      removed += batch;
      if (batch === 0) break;
      await onProgress(removed);
    }
    for (const space of await listSpaces((sql, values) => this.query(ctx, sql, values), datasetId)) {
      await this.store.dropIndex(indexRef(ctx, datasetId, space));
    }
    await this.query(ctx, `DELETE FROM datasets WHERE id = $1 AND deleted_at IS NOT NULL`, [datasetId]);
    await this.query(ctx, `UPDATE dataset_deletions SET status = 'completed', completed_at = now() WHERE id = $1`, [
      deletionId,
    ]);
  }

  private async removeBatch(ctx: RequestContext, datasetId: DatasetId): Promise<number> {
    const rows = await this.query<{ id: string; keys: string[] }>(
      ctx,
      `SELECT d.id, array_agg(r.blob_key) AS keys FROM documents d JOIN document_revisions r ON r.document_id = d.id
       WHERE d.dataset_id = $1 AND d.deleted_at IS NOT NULL GROUP BY d.id LIMIT ${BATCH}`,
      [datasetId],
    );
    const removed = await this.removals.tryRun(async () => {
      for (const key of rows.flatMap((row) => row.keys)) await this.storage.delete(parseObjectKey(key));
      await this.query(ctx, `DELETE FROM documents WHERE id = ANY($1::uuid[])`, [rows.map((row) => row.id)]);
    });
    if (!removed) throw new BackupUnderWay();
    return rows.length;
  }
}
