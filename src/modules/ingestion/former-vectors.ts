import { Injectable } from '@nestjs/common';
import { InstalledModels } from '#libs/ai';
import type { DatasetId } from '#libs/common';
import { Settings } from '#libs/config';
import { AuditLog, columnsOf, result, statement, TenantRepository, UnitOfWork } from '#libs/database';
import type { RequestContext } from '#libs/tenancy';
import { indexRef, VectorStore } from '#libs/vector-store';
import { DatasetSpaces, ReembeddingsRepository } from '../documents/index.js';
import { ChunkVectorEntity } from './chunk.entity.js';

const VECTORS_PER_DELETION = 5_000;

interface Former {
  readonly id: string;
  readonly dataset_id: DatasetId;
  readonly from_space: string;
}

const CLAIM = statement(
  { id: result.uuid(), dataset_id: result.uuid<DatasetId>(), from_space: result.text() },
  `SELECT DISTINCT ON (r.dataset_id, r.from_space) r.id, r.dataset_id, r.from_space FROM reembeddings r
   JOIN datasets d ON d.id = r.dataset_id AND d.deleted_at IS NULL
   JOIN dataset_spaces s ON s.dataset_id = r.dataset_id AND s.space = r.from_space AND NOT s.searched
   WHERE r.former_dropped_at IS NOT NULL AND r.from_space <> d.embedding_space AND (r.from_space <> $1 OR d.embedding_space = ANY ($2::text[]))
     AND NOT EXISTS (SELECT 1 FROM reembeddings o WHERE o.dataset_id = r.dataset_id AND o.former_dropped_at IS NULL
       AND (o.status IN ('pending', 'running') OR o.status = 'completed' AND o.switched_at IS NOT NULL)
       AND r.from_space IN (o.from_space, o.to_space))`,
);
const DROP = statement(
  columnsOf(ChunkVectorEntity, 'chunk_id'),
  `DELETE FROM chunk_vectors WHERE space = $2 AND chunk_id IN (
     SELECT v.chunk_id FROM documents d JOIN chunk_sets s ON s.document_id = d.id JOIN chunks c ON c.chunk_set_id = s.id
     JOIN chunk_vectors v ON v.chunk_id = c.id AND v.space = $2 WHERE d.dataset_id = $1 LIMIT ${VECTORS_PER_DELETION})
   RETURNING chunk_id`,
);

/** Removes the vectors that a dataset had before it was re-embedded, once nobody is expected to roll back. */
@Injectable()
export class FormerVectors extends TenantRepository {
  private readonly keepDays: number;

  constructor(
    unitOfWork: UnitOfWork,
    private readonly store: VectorStore,
    private readonly reembeddings: ReembeddingsRepository,
    private readonly spaces: DatasetSpaces,
    private readonly models: InstalledModels,
    private readonly audit: AuditLog,
    settings: Settings,
  ) {
    super(unitOfWork);
    this.keepDays = settings.values.formerVectorsDays;
  }

  /** All datasets of the tenant. Safe to begin again at any point. Gives how many indexes were removed. */
  async dropOutlived(ctx: RequestContext): Promise<number> {
    const outlived = await this.claim(ctx);
    for (const former of outlived) await this.drop(ctx, former);
    return outlived.length;
  }

  /**
   * Marked first, so that a roll-back that comes meanwhile is refused; what is marked and still recorded as a space is not done yet.
   * A space to which the installation or the dataset has gone back is left alone.
   */
  private async claim(ctx: RequestContext): Promise<Former[]> {
    const { embedders, spaces } = this.models;
    const { space: own } = embedders.own.descriptor;
    await this.reembeddings.markOutlived(ctx, this.keepDays, own, spaces);
    return this.query(ctx, CLAIM, [own, spaces]);
  }

  private async drop(ctx: RequestContext, { id, dataset_id: datasetId, from_space: space }: Former): Promise<void> {
    await this.store.dropIndex(indexRef(ctx, datasetId, space));
    for (;;) {
      const removed = await this.query(ctx, DROP, [datasetId, space]);
      if (removed.length < VECTORS_PER_DELETION) break;
    }
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
