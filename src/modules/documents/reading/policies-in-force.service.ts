import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#libs/tenancy';
import { DatasetAccess } from '../../datasets/index.js';
import { IngestionPolicies } from '../../ingestion-policy/index.js';

/** Finds the versions of a dataset's policy under which documents are up to date. */
@Injectable()
export class PoliciesInForce {
  constructor(
    private readonly access: DatasetAccess,
    private readonly policies: IngestionPolicies,
  ) {}

  /** Empty for a dataset that the caller does not see, as for one that does not exist. */
  async versionsOf(ctx: RequestContext, datasetId: string): Promise<readonly number[]> {
    const [dataset] = await this.access.listVisible(ctx, [datasetId]);
    return dataset === undefined ? [] : this.policies.versionsInForce(ctx, dataset.id);
  }
}
