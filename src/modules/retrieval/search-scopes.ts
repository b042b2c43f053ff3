import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#libs/tenancy';
import type { TermStatistics } from '#libs/text';
import type { VisibleDataset } from '../datasets/index.js';
import { RetrievalRepository } from './retrieval.repository.js';
import type { StepTimer } from './step-timer.js';
import { TermStatisticsCache } from './term-statistics.cache.js';

/** What a search needs to know of its datasets beside their chunks. */
export interface ScopeFacts {
  /** Of each dataset, in the order in which they were given. */
  readonly statistics: readonly TermStatistics[];
  /** Documents that wait for their ingestion or are in it. */
  readonly pendingDocuments: number;
}

/** Facts about the datasets that are searched. */
@Injectable()
export class SearchScopes {
  constructor(
    private readonly statistics: TermStatisticsCache,
    private readonly repository: RetrievalRepository,
  ) {}

  async load(ctx: RequestContext, datasets: readonly VisibleDataset[], timer: StepTimer): Promise<ScopeFacts> {
    const statistics = await timer.measure('statistics', () => this.statistics.load(ctx, datasets));
    const pendingDocuments = await this.repository.countPending(
      ctx,
      datasets.map(({ id }) => id),
    );
    return { statistics, pendingDocuments };
  }
}
