import { Injectable } from '@nestjs/common';
import { isUuid } from '#libs/common';
import { AuditLog, UnitOfWork, type TransactionContext } from '#libs/database';
import { DATASET_DELETED } from '../datasets.events.js';
import { DomainEvents } from '#libs/events';
import type { RequestContext } from '#libs/tenancy';
import { DatasetContents } from '../record/dataset-contents.port.js';
import { DatasetDeletionsRepository, type DeletionCandidate } from './dataset-deletions.repository.js';
import { isAdministrator, isOwner, isWithinKey } from '../access/dataset-visibility.js';
import { datasetErrors } from '../datasets.errors.js';
import type { DatasetDeletion } from '../record/dataset.dto.js';

/** Deletes datasets: they are hidden at once, and a worker removes their data. */
@Injectable()
export class DatasetDeletionService {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly deletions: DatasetDeletionsRepository,
    private readonly contents: DatasetContents,
    private readonly audit: AuditLog,
    private readonly events: DomainEvents,
  ) {}

  /**
   * For the owner, and for an administrator even if the dataset is not visible to that account.
   * @throws `datasets.delete_forbidden` for others who see it, `datasets.not_found` for those who do not
   */
  async delete(ctx: RequestContext, id: string): Promise<DatasetDeletion> {
    return this.unitOfWork.run(ctx, async (_manager, inner) => {
      const dataset = await this.requireDeletable(inner, id);
      const count = await this.contents.countContents(inner, dataset.id);
      await this.deletions.markDeleted(inner, dataset.id);
      await this.contents.hide(inner, dataset.id);
      const row = await this.deletions.record(inner, dataset.id, count);
      const { documents, chunks, blobs } = row;
      await this.events.publish(inner, DATASET_DELETED, [
        { dataset_id: dataset.id, deletion_id: row.id, documents, chunks, blobs },
      ]);
      await this.audit.append(inner, {
        event: 'dataset.deleted',
        subject: `dataset:${dataset.id}`,
        details: { deletion_id: row.id, documents: row.documents, chunks: row.chunks, blobs: row.blobs },
      });
      return {
        deletion_id: row.id,
        dataset_id: dataset.id,
        status: 'pending',
        documents: row.documents,
        chunks: row.chunks,
        blobs: row.blobs,
        created_at: row.created_at.toISOString(),
      };
    });
  }

  private async requireDeletable(ctx: TransactionContext, id: string): Promise<DeletionCandidate> {
    const dataset = isUuid(id) ? await this.deletions.lockPresent(ctx, id) : undefined;
    if (dataset === undefined) throw datasetErrors.not_found({ id });
    if (dataset.visible && isOwner(ctx.principal, dataset.owner_id)) return dataset;
    if (isAdministrator(ctx.principal) && isWithinKey(ctx.principal, dataset.id)) return dataset;
    throw dataset.visible ? datasetErrors.delete_forbidden({}) : datasetErrors.not_found({ id });
  }
}
