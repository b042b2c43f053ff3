import { Injectable } from '@nestjs/common';
import { InstalledModels } from '#libs/ai';
import { AuditLog, UnitOfWork } from '#libs/database';
import type { RequestContext } from '#libs/tenancy';
import { indexRef, VectorStore } from '#libs/vector-store';
import { ChunkVectorsRepository } from '../../content/index.js';
import { DatasetSpaces } from '../../documents/index.js';
import { ReembeddingsRepository, type OutlivedSpace } from '../spaces/reembeddings.repository.js';

/** Removes the former vectors of re-embedded datasets when the time for a rollback is over. */
@Injectable()
export class FormerVectors {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly store: VectorStore,
    private readonly vectors: ChunkVectorsRepository,
    private readonly reembeddings: ReembeddingsRepository,
    private readonly spaces: DatasetSpaces,
    private readonly models: InstalledModels,
    private readonly audit: AuditLog,
  ) {}

  /** Handles all datasets of the tenant; it can be started again at any point. Resolves to the number of removed indexes. */
  async dropOutlived(ctx: RequestContext): Promise<number> {
    const { embedders, spaces } = this.models;
    const outlived = await this.reembeddings.claimOutlived(ctx, embedders.own.descriptor.space, spaces);
    for (const former of outlived) await this.drop(ctx, former);
    return outlived.length;
  }

  private async drop(
    ctx: RequestContext,
    { id, dataset_id: datasetId, from_space: space }: OutlivedSpace,
  ): Promise<void> {
    await this.store.dropIndex(indexRef(ctx, datasetId, space));
    await this.vectors.drop(ctx, datasetId, space);
    await this.unitOfWork.run(ctx, async (_manager, inner) => {
      await this.spaces.forget(inner, datasetId, space);
      await this.audit.append(inner, {
        event: 'dataset.former_vectors_removed',
        subject: `dataset:${datasetId}`,
        details: { reembedding_id: id, space },
      });
    });
  }
}
