import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { InstalledModels } from '#libs/ai';
import { OneByOne, type DatasetId } from '#libs/common';
import type { RequestContext } from '#libs/tenancy';
import { DatasetContentsCache } from '../snapshot/dataset-contents-cache.service.js';
import { VectorTables } from './vector-tables.service.js';

/** A dataset whose contents are in memory. */
export interface WarmDataset {
  readonly ctx: RequestContext;
  readonly id: DatasetId;
  readonly contentSeq: string;
  readonly embeddingSpace: string;
}

/** Reads the vectors of datasets after a start, while searches are served already; until then the store proposes. */
@Injectable()
export class VectorWarmup implements OnModuleDestroy {
  private readonly logger = new Logger('Retrieval');
  private readonly reads = new OneByOne();
  private isClosing = false;

  constructor(
    private readonly tables: VectorTables,
    private readonly contents: DatasetContentsCache,
    private readonly models: InstalledModels,
  ) {}

  /** Begins to read, and returns. Vectors that know no meaning are left to the first search that needs them: they are rarely compared. */
  begin(datasets: readonly WarmDataset[]): void {
    if (!this.tables.isFor('proposing')) return;
    void this.reads.run(async () => {
      for (const dataset of datasets) if (!this.isClosing) await this.read(dataset);
    });
  }

  async onModuleDestroy(): Promise<void> {
    this.isClosing = true;
    await this.reads.ended();
  }

  /** A failure is logged and no more: the dataset may have been deleted, and its first search reads the vectors otherwise. */
  private async read({ ctx, id, embeddingSpace: space, contentSeq }: WarmDataset): Promise<void> {
    const { kind, dimensions, space: own } = this.models.embedderFor(space).descriptor;
    if (kind === 'hashed' || own !== space) return;
    try {
      const [contents] = await this.contents.load(ctx, [{ id, contentSeq }]);
      await this.tables.load(ctx, { datasetId: id, space, dimensions, usage: 'proposing' }, contents!);
    } catch (error) {
      this.logger.warn({ event: 'retrieval.vectors_not_read', dataset: id, error: String(error) });
    }
  }
}
