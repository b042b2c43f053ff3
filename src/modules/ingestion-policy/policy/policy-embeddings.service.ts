import { Injectable } from '@nestjs/common';
import { InstalledModels } from '#libs/ai';
import type { DatasetId } from '#libs/common';
import type { RequestContext } from '#libs/tenancy';
import { WantedEmbeddings, type DatasetEmbedding, type EmbeddedDataset } from '../../datasets/index.js';
import { PresentPolicies } from './present-policies.service.js';
import { wantedEmbedding } from '../rules/wanted-embedding.js';

/** Finds datasets whose embedding model differs from the one that their policy names. */
@Injectable()
export class PolicyEmbeddings extends WantedEmbeddings {
  constructor(
    private readonly policies: PresentPolicies,
    private readonly models: InstalledModels,
  ) {
    super();
  }

  override async differing(
    ctx: RequestContext,
    datasets: readonly EmbeddedDataset[],
  ): Promise<ReadonlyMap<DatasetId, DatasetEmbedding>> {
    const policies = await this.policies.of(ctx, datasets);
    return new Map(
      datasets.flatMap(({ id, embeddingSpace }, at) => {
        const wanted = wantedEmbedding(this.models, policies[at]!);
        return wanted === undefined || wanted.space === embeddingSpace ? [] : [[id, wanted.embedding] as const];
      }),
    );
  }
}
