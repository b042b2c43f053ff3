import { Injectable } from '@nestjs/common';
import type { AccountId, DatasetId, Page } from '#libs/common';
import { TenantRepository, UnitOfWork } from '#libs/database';
import type { Principal, RequestContext } from '#libs/tenancy';
import type { DatasetAcl } from './dataset.entity.js';
import { visibilityConditionOf } from './dataset-visibility.js';
import type { TenantDatasetOrder, TenantDatasetsQuery } from './dto/tenant-datasets.dto.js';

export interface TenantDatasetRow {
  readonly id: DatasetId;
  /** null where the caller does not see the dataset. */
  readonly name: string | null;
  readonly owner_id: AccountId;
  readonly acl: DatasetAcl;
  readonly partial_member_list: readonly AccountId[];
  readonly created_at: Date;
  readonly updated_at: Date;
}

const ORDERS: Readonly<Record<TenantDatasetOrder, string>> = {
  created_at: 'd.created_at ASC, d.id ASC',
  '-created_at': 'd.created_at DESC, d.id DESC',
  updated_at: 'd.updated_at ASC, d.id ASC',
  '-updated_at': 'd.updated_at DESC, d.id DESC',
};

/** Every dataset of the tenant, whoever may see it. */
@Injectable()
export class TenantDatasetsRepository extends TenantRepository {
  constructor(unitOfWork: UnitOfWork) {
    super(unitOfWork);
  }

  async list(ctx: RequestContext, query: TenantDatasetsQuery): Promise<Page<TenantDatasetRow>> {
    const visible = visibilityConditionOf(ctx.principal, 'd', 4);
    // The list of an API key bounds this as everything else.
    const from = `FROM datasets d WHERE d.deleted_at IS NULL AND ($1::uuid[] IS NULL OR d.id = ANY ($1::uuid[]))`;
    const only = ownListOf(ctx.principal);
    return this.unitOfWork.run(ctx, async (_manager, inner) => {
      const total = await this.queryOne<{ n: number }>(inner, `SELECT count(*)::int AS n ${from}`, [only]);
      const items = await this.query<TenantDatasetRow>(
        inner,
        `SELECT d.id, CASE WHEN ${visible.sql} THEN d.name END AS name, d.owner_id, d.acl, d.partial_member_list,
           d.created_at, d.updated_at
         ${from} ORDER BY ${ORDERS[query.order_by]} LIMIT $2 OFFSET $3`,
        [only, query.limit, query.skip, ...visible.parameters],
      );
      return { items, total: total?.n ?? 0, skip: query.skip, limit: query.limit };
    });
  }
}

function ownListOf(principal: Principal): readonly DatasetId[] | null {
  return principal.kind === 'api_key' ? principal.datasetIds : null;
}
