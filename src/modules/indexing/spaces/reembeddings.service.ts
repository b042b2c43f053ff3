import { Injectable } from '@nestjs/common';
import { InstalledModels } from '#libs/ai';
import { isUuid, type DatasetId } from '#libs/common';
import { AuditLog, UnitOfWork, type TransactionContext } from '#libs/database';
import type { RequestContext } from '#libs/tenancy';
import { DatasetAccess, datasetErrors, showEmbedding, shownEmbedding } from '../../datasets/index.js';
import {
  IngestionPolicies,
  moveWarnings,
  wantedEmbedding,
  type IngestionPolicy,
  type PolicyWarning,
} from '../../ingestion-policy/index.js';
import { documentErrors } from '../../documents/index.js';
import type { Reembedding, ReembeddingPage } from './reembedding.dto.js';
import { ReembeddingsRepository, type EmbeddingInSpace, type ReembeddingRow } from './reembeddings.repository.js';

/** Starts, reads and rolls back re-embeddings, which a worker carries out. */
@Injectable()
export class ReembeddingsService {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly reembeddings: ReembeddingsRepository,
    private readonly access: DatasetAccess,
    private readonly models: InstalledModels,
    private readonly policies: IngestionPolicies,
    private readonly audit: AuditLog,
  ) {}

  /**
   * The target of a re-embedding: the model that the policy names, or else the default model of the installation. @throws
   * `documents.embedding_model_missing`
   */
  async target(ctx: RequestContext, datasetId: DatasetId): Promise<EmbeddingInSpace> {
    const { policy } = await this.policies.current(ctx, datasetId);
    const wanted = wantedEmbedding(this.models, policy);
    if (wanted === undefined) throw documentErrors.embedding_model_missing({ model: policy.embedding.model ?? '' });
    return wanted;
  }

  /**
   * Starts a re-embedding, or returns the one that is pending or running to the same model; one to another model is ended.
   * @throws `datasets.not_found`
   */
  async start(ctx: RequestContext, datasetId: string): Promise<Reembedding> {
    return this.unitOfWork.run(ctx, async (_manager, inner) => {
      const dataset = await this.access.lockVisible(inner, datasetId);
      const { row, isNew } = await this.open(inner, dataset.id);
      if (isNew) await this.reembeddings.promise(inner, row);
      return this.view(inner, row);
    });
  }

  /** As `start`, for a worker that carries it out itself at once. */
  async startBySystem(
    ctx: RequestContext,
    datasetId: DatasetId,
  ): Promise<{ readonly id: string; readonly warnings: readonly PolicyWarning[] }> {
    return this.unitOfWork.run(ctx, async (_manager, inner) => {
      const { row } = await this.open(inner, datasetId);
      const { policy } = await this.policies.current(inner, datasetId);
      return { id: row.id, warnings: this.warningsOf(row, policy) };
    });
  }

  private async open(
    ctx: TransactionContext,
    datasetId: DatasetId,
  ): Promise<{ readonly row: ReembeddingRow; readonly isNew: boolean }> {
    const from = await this.reembeddings.lockEmbedding(ctx, datasetId);
    if (from === undefined) throw datasetErrors.not_found({ id: datasetId });
    const to = await this.target(ctx, datasetId);
    const open = await this.reembeddings.findOpen(ctx, datasetId);
    if (open !== undefined && open.to_space === to.space) return { row: open, isNew: false };
    if (open !== undefined) {
      await this.reembeddings.end(ctx, open.id, 'failed', 'A re-embedding to another model was started.');
    }
    const row = await this.reembeddings.insert(ctx, datasetId, from, to);
    await this.audit.append(ctx, {
      event: 'dataset.reembedding_started',
      subject: `dataset:${datasetId}`,
      details: { reembedding_id: row.id, from: from.space, to: to.space },
    });
    return { row, isNew: true };
  }

  /** @throws `datasets.not_found` */
  async list(ctx: RequestContext, datasetId: string, skip: number, limit: number): Promise<ReembeddingPage> {
    const dataset = await this.access.requireVisible(ctx, datasetId);
    const page = await this.reembeddings.list(ctx, dataset.id, skip, limit);
    const { policy } = await this.policies.current(ctx, dataset.id);
    return { ...page, items: page.items.map((row) => toView(row, this.warningsOf(row, policy))) };
  }

  /** @throws `datasets.not_found`, `documents.reembedding_not_found` */
  async read(ctx: RequestContext, datasetId: string, id: string): Promise<Reembedding> {
    const dataset = await this.access.requireVisible(ctx, datasetId);
    return this.view(ctx, await this.require(ctx, dataset.id, id));
  }

  /**
   * Cancels a pending or running re-embedding, or returns the dataset to its former vectors in one step. Idempotent.
   * @throws `datasets.not_found`, `documents.reembedding_not_found`, `documents.reembedding_final`
   */
  async rollBack(ctx: RequestContext, datasetId: string, id: string): Promise<Reembedding> {
    return this.unitOfWork.run(ctx, async (_manager, inner) => {
      const dataset = await this.access.lockVisible(inner, datasetId);
      const row = await this.require(inner, dataset.id, id);
      if (row.status !== 'rolled_back' && !(await this.reembeddings.end(inner, row.id, 'rolled_back'))) {
        if (row.status === 'completed') await this.switchBack(inner, row, dataset.embeddingSpace);
        await this.reembeddings.markRolledBack(inner, row.id);
      }
      return this.view(inner, await this.require(inner, dataset.id, id));
    });
  }

  private async switchBack(ctx: TransactionContext, row: ReembeddingRow, space: string): Promise<void> {
    const { from_space: former, to_space: latter, dataset_id: datasetId } = row;
    if (former === latter) {
      // Only the scale of the similarities had changed.
      if (space !== latter) return;
      await this.unitOfWork.run(ctx, (manager) => showEmbedding(manager, datasetId, space, row.from_embedding));
      return;
    }
    if (space !== latter) throw documentErrors.reembedding_final({ reason: 'another re-embedding moved the dataset' });
    if (row.former_dropped_at !== null) {
      throw documentErrors.reembedding_final({ reason: 'the former vectors were removed' });
    }
    const isInstalled = this.models.embedderOf(former) !== undefined;
    if (isInstalled && (await this.reembeddings.countIncomplete(ctx, datasetId, former)) > 0) {
      const reason = 'documents added since have no vectors of the former model; start a re-embedding to it instead';
      throw documentErrors.reembedding_final({ reason });
    }
    const to = { space: former, embedding: row.from_embedding };
    await this.reembeddings.switchSpace(ctx, datasetId, latter, to, true);
    await this.audit.append(ctx, {
      event: 'dataset.reembedding_rolled_back',
      subject: `dataset:${datasetId}`,
      details: { reembedding_id: row.id, from: latter, to: former },
    });
  }

  private async view(ctx: RequestContext, row: ReembeddingRow): Promise<Reembedding> {
    const { policy } = await this.policies.current(ctx, row.dataset_id);
    return toView(row, this.warningsOf(row, policy));
  }

  private warningsOf(
    { status, from_space: from, to_space: to }: ReembeddingRow,
    policy: IngestionPolicy,
  ): PolicyWarning[] {
    if (status === 'failed' || status === 'rolled_back') return [];
    return moveWarnings(this.models, policy, { from, to });
  }

  private async require(ctx: RequestContext, datasetId: DatasetId, id: string): Promise<ReembeddingRow> {
    const row = isUuid(id) ? await this.reembeddings.find(ctx, datasetId, id) : undefined;
    if (row === undefined) throw documentErrors.reembedding_not_found({});
    return row;
  }
}

function toView(row: ReembeddingRow, warnings: PolicyWarning[]): Reembedding {
  return {
    reembedding_id: row.id,
    dataset_id: row.dataset_id,
    status: row.status,
    from: shownEmbedding(row.from_embedding),
    to: shownEmbedding(row.to_embedding),
    warnings,
    documents: row.documents,
    documents_done: row.documents_done,
    chunks_embedded: row.chunks_embedded,
    parity: row.parity,
    error: row.error,
    created_at: row.created_at.toISOString(),
    switched_at: row.switched_at?.toISOString() ?? null,
    ended_at: row.ended_at?.toISOString() ?? null,
    former_dropped_at: row.former_dropped_at?.toISOString() ?? null,
  };
}
