import { Injectable } from '@nestjs/common';
import type { DatasetId } from '#libs/common';
import { columnsOf, result, statement, TenantRepository, UnitOfWork, type TransactionContext } from '#libs/database';
import type { RequestContext } from '#libs/tenancy';
import { DatasetEntity, showEmbedding } from '../../datasets/index.js';
import { PolicyUsage, type WantedEmbedding } from '../../ingestion-policy/index.js';

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

const FIND_EMPTY = statement(
  columnsOf(DatasetEntity, 'embedding_space'),
  `SELECT d.embedding_space FROM datasets d WHERE d.id = $1
   AND NOT EXISTS (SELECT 1 FROM documents o WHERE o.dataset_id = d.id AND o.deleted_at IS NULL)`,
);
const FORGET_SPACE = statement({}, `DELETE FROM dataset_spaces WHERE dataset_id = $1 AND space = $2`);
/** Rows of deleted documents may exist in the space until they are purged. */
const KEEP_SPACE = statement(
  {},
  `INSERT INTO dataset_spaces (tenant_id, dataset_id, space, searched) VALUES ($1, $2, $3, false)
   ON CONFLICT (dataset_id, space) DO NOTHING`,
);

/** Implements what ingestion policies need to know about documents. */
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

  async takeEmbedding(ctx: TransactionContext, datasetId: DatasetId, wanted: WantedEmbedding): Promise<boolean> {
    const [empty] = await this.query(ctx, FIND_EMPTY, [datasetId]);
    if (empty === undefined) return false;
    if (empty.embedding_space === wanted.space) return true;
    await this.unitOfWork.run(ctx, (manager) => showEmbedding(manager, datasetId, wanted.space, wanted.embedding));
    await this.query(ctx, FORGET_SPACE, [datasetId, wanted.space]);
    await this.query(ctx, KEEP_SPACE, [ctx.tenantId, datasetId, empty.embedding_space]);
    return true;
  }
}
