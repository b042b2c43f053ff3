import { Injectable } from '@nestjs/common';
import type { DatasetId, Page } from '#libs/common';
import { columnsOf, result, statement, statementFamily, TenantRepository, UnitOfWork } from '#libs/database';
import type { Principal, RequestContext } from '#libs/tenancy';
import { DatasetEntity } from '../record/dataset.entity.js';
import { visibilityConditionOf, visibilityVariantsOf } from '../access/dataset-visibility.js';
import { TENANT_DATASET_ORDERS, type TenantDatasetOrder, type TenantDatasetsQuery } from './tenant-datasets.dto.js';

const ORDERS: Readonly<Record<TenantDatasetOrder, string>> = {
  created_at: 'd.created_at ASC, d.id ASC',
  '-created_at': 'd.created_at DESC, d.id DESC',
  updated_at: 'd.updated_at ASC, d.id ASC',
  '-updated_at': 'd.updated_at DESC, d.id DESC',
};

// The list of an API key applies here too.
const FROM = `FROM datasets d WHERE d.deleted_at IS NULL AND ($1::uuid[] IS NULL OR d.id = ANY ($1::uuid[]))`;
const COUNT = statement({ n: result.integer }, `SELECT count(*)::int AS n ${FROM}`);
const LIST = statementFamily(
  {
    ...columnsOf(DatasetEntity, 'id', 'owner_id', 'acl', 'partial_member_list', 'created_at', 'updated_at'),
    name: result.orNull(result.text()),
  },
  (visible: string, order: TenantDatasetOrder) =>
    `SELECT d.id, CASE WHEN ${visible} THEN d.name END AS name, d.owner_id, d.acl, d.partial_member_list, d.created_at, d.updated_at
     ${FROM} ORDER BY ${ORDERS[order]} LIMIT $2 OFFSET $3`,
  [
    ...visibilityVariantsOf('d', 4).map((visible) => [visible, 'created_at'] as const),
    ...TENANT_DATASET_ORDERS.map((order) => [visibilityVariantsOf('d', 4)[0]!, order] as const),
  ],
);
/** A dataset of the tenant; `name` is null if the caller does not see the dataset. */
export type TenantDatasetRow = NonNullable<ReturnType<typeof LIST.of>['row']>;

/** Every dataset of the tenant, regardless of visibility. */
@Injectable()
export class TenantDatasetsRepository extends TenantRepository {
  constructor(unitOfWork: UnitOfWork) {
    super(unitOfWork);
  }

  async list(ctx: RequestContext, query: TenantDatasetsQuery): Promise<Page<TenantDatasetRow>> {
    const visible = visibilityConditionOf(ctx.principal, 'd', 4);
    const only = ownListOf(ctx.principal);
    return this.unitOfWork.run(ctx, async (_manager, inner) => {
      const total = await this.queryOne(inner, COUNT, [only]);
      const items = await this.query(inner, LIST.of(visible.sql, query.order_by), [
        only,
        query.limit,
        query.skip,
        ...visible.parameters,
      ]);
      return { items, total: total?.n ?? 0, skip: query.skip, limit: query.limit };
    });
  }
}

function ownListOf(principal: Principal): readonly DatasetId[] | null {
  return principal.kind === 'api_key' ? principal.datasetIds : null;
}
