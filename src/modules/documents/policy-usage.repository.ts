import { Injectable } from '@nestjs/common';
import type { DatasetId } from '#libs/common';
import { result, statement, TenantRepository, UnitOfWork } from '#libs/database';
import type { RequestContext } from '#libs/tenancy';
import { PolicyUsage } from '../ingestion-policy/index.js';

const COUNT_DOCUMENTS = statement(
  { version: result.integer, n: result.integer },
  `SELECT coalesce(ingested_policy_version, policy_version) AS version, count(*)::int AS n FROM documents
   WHERE dataset_id = $1 AND deleted_at IS NULL AND coalesce(ingested_policy_version, policy_version) = ANY ($2::int[])
   GROUP BY 1`,
);
const VERSIONS_IN_USE = statement(
  { version: result.integer },
  `SELECT DISTINCT v.version FROM documents d, unnest(ARRAY[d.policy_version, d.ingested_policy_version]) AS v(version)
   WHERE d.dataset_id = $1 AND d.deleted_at IS NULL AND v.version = ANY ($2::int[])`,
);

/** What ingestion policies ask of documents. */
@Injectable()
export class PolicyUsageRepository extends TenantRepository implements PolicyUsage {
  constructor(unitOfWork: UnitOfWork) {
    super(unitOfWork);
  }

  async countDocuments(
    ctx: RequestContext,
    datasetId: DatasetId,
    versions: readonly number[],
  ): Promise<Map<number, number>> {
    const rows = await this.query(ctx, COUNT_DOCUMENTS, [datasetId, versions]);
    return new Map(rows.map(({ version, n }) => [version, n]));
  }

  async versionsInUse(ctx: RequestContext, datasetId: DatasetId, versions: readonly number[]): Promise<number[]> {
    const rows = await this.query(ctx, VERSIONS_IN_USE, [datasetId, versions]);
    return rows.map((row) => row.version);
  }
}
