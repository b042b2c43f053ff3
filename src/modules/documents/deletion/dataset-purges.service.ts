import { Injectable } from '@nestjs/common';
import { isUuid } from '#libs/common';
import { AuditLog, UnitOfWork } from '#libs/database';
import type { RequestContext } from '#libs/tenancy';
import { DatasetAccess, type DeletionRow } from '../../datasets/index.js';
import { DatasetPurgesRepository } from './dataset-purges.repository.js';
import { documentErrors } from '../documents.errors.js';
import type { DatasetPurge } from './purge.dto.js';

/** Requests and reads purges, which a worker carries out. */
@Injectable()
export class DatasetPurgesService {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly purges: DatasetPurgesRepository,
    private readonly access: DatasetAccess,
    private readonly audit: AuditLog,
  ) {}

  /**
   * Deleted documents cannot be restored, so everyone who may delete documents of the dataset may also purge it.
   * @throws `datasets.not_found`
   */
  async purge(ctx: RequestContext, datasetId: string): Promise<DatasetPurge> {
    return this.unitOfWork.run(ctx, async (_manager, inner) => {
      const dataset = await this.access.holdVisible(inner, datasetId);
      const row = await this.purges.record(inner, dataset.id);
      await this.audit.append(inner, {
        event: 'dataset.purged',
        subject: `dataset:${dataset.id}`,
        details: { purge_id: row.id, documents: row.documents, chunks: row.chunks, blobs: row.blobs },
      });
      return toView(row);
    });
  }

  /** @throws `datasets.not_found`, `documents.purge_not_found` */
  async read(ctx: RequestContext, datasetId: string, purgeId: string): Promise<DatasetPurge> {
    const dataset = await this.access.requireVisible(ctx, datasetId);
    const row = isUuid(purgeId) ? await this.purges.find(ctx, dataset.id, purgeId) : undefined;
    if (row === undefined) throw documentErrors.purge_not_found({});
    return toView(row);
  }
}

function toView(row: DeletionRow): DatasetPurge {
  return {
    purge_id: row.id,
    dataset_id: row.dataset_id,
    status: row.status,
    documents: row.documents,
    chunks: row.chunks,
    blobs: row.blobs,
    created_at: row.created_at.toISOString(),
    completed_at: row.completed_at?.toISOString() ?? null,
  };
}
