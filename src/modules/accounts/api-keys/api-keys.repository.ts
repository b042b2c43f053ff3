import { Injectable } from '@nestjs/common';
import type { AccountId, ApiKeyId, DatasetId, Page } from '#libs/common';
import { columnsOf, statement, statementFamily, UnitOfWork } from '#libs/database';
import type { RequestContext, Role } from '#libs/tenancy';
import { ApiKeyEntity, type ApiKeyRow } from '../record/api-key.entity.js';
import { LIST_ORDERS, pageOf, type ListOrder, type ListPage } from '../record/list-order.repository.js';
import { SystemRepository } from '../record/system.repository.js';

export interface NewApiKey {
  readonly id: ApiKeyId;
  readonly accountId: AccountId;
  readonly name: string;
  readonly secretHash: string;
  readonly role: Role | null;
  readonly scopes: readonly string[];
  readonly datasetIds: readonly DatasetId[] | null;
  readonly expiresAt: Date | null;
}

const COLUMNS = 'id, name, role, scopes, dataset_ids, expires_at, last_used_at, created_at';

const KEY = columnsOf(
  ApiKeyEntity,
  'id',
  'name',
  'role',
  'scopes',
  'dataset_ids',
  'expires_at',
  'last_used_at',
  'created_at',
);
const INSERT = statement(
  KEY,
  `INSERT INTO api_keys (id, tenant_id, account_id, name, secret_hash, role, scopes, dataset_ids, expires_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) RETURNING ${COLUMNS}`,
);
const LIST_OF_ACCOUNT = statementFamily(
  KEY,
  (order: ListOrder) => pageOf(`SELECT ${COLUMNS} FROM api_keys WHERE tenant_id = $1 AND account_id = $2`, order, 3),
  LIST_ORDERS.map((order) => [order] as const),
);

/** Rows of `api_keys`. Every statement names the tenant of the context. */
@Injectable()
export class ApiKeysRepository extends SystemRepository {
  constructor(unitOfWork: UnitOfWork) {
    super(unitOfWork);
  }

  async insert(ctx: RequestContext, key: NewApiKey): Promise<ApiKeyRow> {
    const row = await this.queryOne(ctx, INSERT, [
      key.id,
      ctx.tenantId,
      key.accountId,
      key.name,
      key.secretHash,
      key.role,
      key.scopes,
      key.datasetIds,
      key.expiresAt,
    ]);
    return row!;
  }

  async listOfAccount(ctx: RequestContext, accountId: AccountId, page: ListPage): Promise<Page<ApiKeyRow>> {
    const items = await this.query(ctx, LIST_OF_ACCOUNT.of(page.order_by), [
      ctx.tenantId,
      accountId,
      page.limit,
      page.skip,
    ]);
    const total = await this.withRepository(ctx, ApiKeyEntity, (rows) =>
      rows.countBy({ tenant_id: ctx.tenantId, account_id: accountId }),
    );
    return { items, total, skip: page.skip, limit: page.limit };
  }

  /** Removes a key of the tenant; with `ofAccount` only if it belongs to that account. False when there is none. */
  async remove(ctx: RequestContext, id: ApiKeyId, ofAccount: AccountId | null): Promise<boolean> {
    const { affected } = await this.withRepository(ctx, ApiKeyEntity, (rows) =>
      rows.delete({ tenant_id: ctx.tenantId, id, ...(ofAccount === null ? {} : { account_id: ofAccount }) }),
    );
    return affected === 1;
  }
}
