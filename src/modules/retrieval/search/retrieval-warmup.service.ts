import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { Embedder } from '#libs/ai';
import { newId, Once, type DatasetId } from '#libs/common';
import type { RequestContext } from '#libs/tenancy';
import { analyzeQuery } from '#libs/ranking';
import { VectorStore } from '#libs/vector-store';
import { EmbeddingScales } from '../scales/embedding-scales.service.js';
import { DATASETS_KEPT, DatasetContentsCache } from '../snapshot/dataset-contents-cache.service.js';
import { TermStatisticsRepository } from '../rows/term-statistics.repository.js';
import { WordFilesUpkeep } from '../snapshot/word-files-upkeep.service.js';
import { VectorWarmup, type WarmDataset } from '../vectors/vector-warmup.service.js';

const DEADLINE_MS = 30_000;

/** Prepares what the first searches would have to wait for: the embedding model, the text analysis, the store, the contents of datasets. */
@Injectable()
export class RetrievalWarmup implements OnModuleDestroy {
  private readonly logger = new Logger('Retrieval');
  private readonly warm = new Once(() => this.warmUp());
  private isClosing = false;

  constructor(
    private readonly embedder: Embedder,
    private readonly store: VectorStore,
    private readonly contents: DatasetContentsCache,
    private readonly repository: TermStatisticsRepository,
    private readonly scales: EmbeddingScales,
    private readonly vectors: VectorWarmup,
    private readonly files: WordFilesUpkeep,
  ) {}

  /** Resolves when searches are fast; the work is done once. A failure is thrown, and the next call tries again. */
  async ensureWarm(): Promise<void> {
    return this.warm.read();
  }

  onModuleDestroy(): void {
    this.isClosing = true;
  }

  private async warmUp(): Promise<void> {
    analyzeQuery('warm up');
    await this.embedder.embed(['warm up'], 'query', { signal: AbortSignal.timeout(DEADLINE_MS) });
    await this.measureScales();
    await this.store.ping({ deadlineMs: DEADLINE_MS });
    const loaded = await this.loadContents();
    await this.contents.whenPosted();
    this.files.begin();
    this.vectors.begin(loaded);
  }

  /** Of models that were never measured; a model that does not answer is measured by the first search that needs it. */
  private async measureScales(): Promise<void> {
    try {
      await this.scales.measureAll();
    } catch (error) {
      this.logger.warn({ event: 'retrieval.scale_not_measured', error: String(error) });
    }
  }

  /** Those of as many datasets as are kept, each tenant's latest first; a large one takes seconds, which no search should wait for. */
  private async loadContents(): Promise<WarmDataset[]> {
    const loaded: WarmDataset[] = [];
    let left = DATASETS_KEPT;
    for (const tenantId of await this.repository.listTenants()) {
      if (left === 0) break;
      const ctx = {
        tenantId,
        principal: { kind: 'system', permissions: new Set<never>() },
        requestId: newId(),
      } as const;
      const datasets = await this.repository.listLatestDatasets(ctx, left);
      left -= datasets.length;
      // One after the other: requests of this moment come first.
      for (const dataset of datasets) {
        if (!this.isClosing) await this.load(ctx, dataset);
        loaded.push({ ctx, ...dataset });
      }
    }
    return loaded;
  }

  /** A dataset may go while its turn comes; its first search, if there is one, does the same work. */
  private async load(
    ctx: RequestContext,
    dataset: { readonly id: DatasetId; readonly contentSeq: string },
  ): Promise<void> {
    try {
      await this.contents.load(ctx, [dataset]);
    } catch (error) {
      this.logger.warn({ event: 'retrieval.warm_up_skipped', dataset: dataset.id, error: String(error) });
    }
  }
}
