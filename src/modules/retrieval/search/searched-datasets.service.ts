import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#libs/tenancy';
import { DatasetAccess, type VisibleDataset } from '../../datasets/index.js';
import { PresentPolicies, type RetrievalDefaults } from '../../ingestion-policy/index.js';

/** Datasets of a search with what their policies say about searches, in the same order. */
export interface DatasetsWithDefaults {
  readonly datasets: readonly VisibleDataset[];
  readonly defaults: readonly RetrievalDefaults[];
}

/** The datasets that a search is about. */
@Injectable()
export class SearchedDatasets {
  constructor(
    private readonly access: DatasetAccess,
    private readonly policies: PresentPolicies,
  ) {}

  /** @throws `datasets.not_found` for a dataset that the caller does not see */
  async require(ctx: RequestContext, ids: readonly string[]): Promise<DatasetsWithDefaults> {
    const datasets = await this.access.requireAllVisible(ctx, ids);
    const policies = await this.policies.of(ctx, datasets);
    return { datasets, defaults: policies.map(({ retrieval_defaults }) => retrieval_defaults) };
  }
}
