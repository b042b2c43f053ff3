import { Injectable } from '@nestjs/common';
import { InstalledModels } from '#libs/ai';
import { CatalogueError } from '#libs/common';
import type { RequestContext } from '#libs/tenancy';
import { indexRef, VectorStore } from '#libs/vector-store';
import { DatasetAccess, type VisibleDataset } from '../../datasets/index.js';
import {
  chunksCutBy,
  IngestionPolicies,
  wantedEmbedding,
  type IngestionPolicy,
  type WantedEmbedding,
} from '../../ingestion-policy/index.js';
import { adviceFor, isFormerDefault, isHealthy, type Aging } from './dataset-advice.js';
import { DatasetHealthRepository, type HealthRow } from './dataset-health.repository.js';
import type { DatasetHealth, IndexParity } from './dataset-health.dto.js';

const STORE_DEADLINE_MS = 2_000;

/** Computes the health of a dataset. */
@Injectable()
export class DatasetHealthService {
  constructor(
    private readonly access: DatasetAccess,
    private readonly policies: IngestionPolicies,
    private readonly repository: DatasetHealthRepository,
    private readonly store: VectorStore,
    private readonly models: InstalledModels,
  ) {}

  /** @throws `datasets.not_found` */
  async check(ctx: RequestContext, datasetId: string): Promise<DatasetHealth> {
    const dataset = await this.access.requireVisible(ctx, datasetId);
    const inForce = await this.policies.versionsInForce(ctx, dataset.id);
    const measure = (): Promise<HealthRow> => this.repository.measure(ctx, dataset.id, inForce);
    const row = await measure();
    if (row.completed === 0) return { status: 'empty' };
    const index = await this.compare(ctx, dataset, row, measure);
    const { policy } = await this.policies.current(ctx, dataset.id);
    const wanted = wantedEmbedding(this.models, policy);
    const otherSpace = dataset.embeddingSpace !== wanted?.space;
    const fit = policy.chunking.fit_model === true ? row.fitted_before : 0;
    const stale = { policy: row.stale_policy, embedding: otherSpace ? row.shown : 0, fit };
    const models = this.compareModels(dataset.embeddingSpace, wanted, policy);
    const { pending, processing, completed, failed, quarantined, cancelled, searchable, without_text, total } = row;
    const states = { pending, processing, completed, failed, quarantined, cancelled };
    const { score_threshold: threshold = 0 } = policy.retrieval_defaults;
    // A re-embedding, which other advice may recommend, would change the scale of the scores.
    const isRescaled = wanted !== undefined && (wanted.embedding.scale === 'calibrated') !== dataset.isCalibrated;
    const rescaledThreshold = isRescaled && threshold > 0 ? threshold : null;
    const cutBy = this.cutBy(policy, [wanted?.space, dataset.embeddingSpace]);
    const isCutAsBefore = isFormerDefault(policy.chunking);
    const aging = { stale, models, cutBy, rescaledThreshold, isCutAsBefore };
    const advice = adviceFor(row, aging, index, dataset.policyVersion);
    return {
      status: isHealthy(advice) ? 'healthy' : 'degraded',
      document_counts: { ...states, searchable, without_text, total },
      chunk_count: row.chunks,
      documents_without_chunks: row.without_chunks,
      stale,
      failed_share: Math.round((failed / total) * 10_000) / 10_000,
      index,
      last_ingestion_at: row.last_ingestion_at?.toISOString() ?? null,
      advice,
    };
  }

  private compareModels(
    space: string,
    wanted: WantedEmbedding | undefined,
    { embedding }: IngestionPolicy,
  ): Aging['models'] {
    const named = embedding.model ?? null;
    const present = this.models.embedderOf(space)?.descriptor;
    const model = wanted?.embedding.model ?? null;
    // If the policy names another model than the dataset has, the policy asks for the change, not an upgrade.
    const isFormer =
      wanted !== undefined && this.models.isFormer(space, wanted.space) && (named === null || present?.model === model);
    return { wanted: model, named, isSearched: present !== undefined, isFormer };
  }

  private cutBy({ chunking }: IngestionPolicy, spaces: readonly (string | undefined)[]): Aging['cutBy'] {
    const models = spaces.flatMap((space) => (space === undefined ? [] : (this.models.embedderOf(space) ?? [])));
    return chunksCutBy(
      chunking,
      models.map(({ descriptor }) => descriptor),
    );
  }

  private async compare(
    ctx: RequestContext,
    dataset: VisibleDataset,
    before: HealthRow,
    measure: () => Promise<HealthRow>,
  ): Promise<IndexParity> {
    const stored = await this.countStored(ctx, dataset);
    if (stored === null) return { expected_rows: before.rows, stored_rows: null, parity: 'unknown' };
    // A document that is completed or deleted between the two counts is no fault; only rows that are missing in both counts are.
    const expected = stored < before.rows ? Math.min(before.rows, (await measure()).rows) : before.rows;
    const parity = stored < expected ? 'missing_rows' : stored > expected ? 'surplus_rows' : 'equal';
    return { expected_rows: expected, stored_rows: stored, parity };
  }

  /** Number of rows in the vector store; null when it does not answer. */
  private async countStored(ctx: RequestContext, dataset: VisibleDataset): Promise<number | null> {
    try {
      return await this.store.count(indexRef(ctx, dataset.id, dataset.embeddingSpace), {
        deadlineMs: STORE_DEADLINE_MS,
      });
    } catch (error) {
      if (error instanceof CatalogueError && error.status === 503) return null;
      throw error;
    }
  }
}
