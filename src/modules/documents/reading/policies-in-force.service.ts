import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#libs/tenancy';
import { DatasetAccess } from '../../datasets/index.js';
import { IngestionPolicies } from '../../ingestion-policy/index.js';

/** Tells under which versions of its policy a dataset's documents are up to date. */
@Injectable()
export class PoliciesInForce {
  constructor(
    private readonly access: DatasetAccess,
    private readonly policies: IngestionPolicies,
  ) {}

  /** None for a dataset that the caller does not see, as if there were no such dataset. */
  async versionsOf(ctx: RequestContext, datasetId: string): Promise<readonly number[]> {
    const [dataset] = await this.access.listVisible(ctx, [datasetId]);
    return dataset === undefined ? [] : this.policies.versionsInForce(ctx, dataset.id);
  }
}
